"""What many test files share: the shipped data, read once, and a chat over it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary
from bot.glossary.yaml_files import Loaded, load, shipped
from bot.phrases import Phrases
from tests.asking import Ask, asker
from tests.desks import Desk
from tests.servers import shared_database

settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


@pytest.fixture(scope="session", autouse=True)
def database_of_this_run() -> Iterator[None]:
    with shared_database():
        yield


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    return load([shipped()])


@pytest.fixture(scope="session")
def glossary(loaded: Loaded) -> Glossary:
    return loaded.glossary


@pytest.fixture(scope="session")
def shipped_detector(glossary: Glossary) -> Detector:
    return Detector(glossary)


@pytest.fixture(scope="session")
def phrases(loaded: Loaded) -> Phrases:
    return loaded.phrases


@pytest.fixture(scope="session")
def desk(glossary: Glossary, phrases: Phrases) -> Desk:
    """Somebody who never set anything, on a platform that can whisper."""
    return Desk(glossary, phrases)


@pytest.fixture
def ask(glossary: Glossary, phrases: Phrases) -> Ask:
    return asker(glossary, phrases)
