"""The image, the compose file and the locks: what linters say of them, and what they say of the program is true.

There's no Docker here: nothing is built. What a container would run is run as it stands, as a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from adapters.cli import app
from adapters.operations.health import HealthServer, Readiness
from adapters.operations.metrics import Metrics
from adapters.platforms import names
from bot.settings import Settings
from bot.state.engine import parse_url
from tests.proxies import COMPOSE
from tests.test_lock import pins

ROOT: Final = Path(__file__).parent.parent
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FIELDS: Final = {name.upper(): field for name, field in Settings.model_fields.items()}
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
OURS: Final = [name for name, service in SERVICES.items() if "build" in service]
OWN_COMMANDS: Final = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # it's a group


def linted(program: str, *arguments: str) -> str:
    """What a linter of the dev extra complains of."""
    found = Path(sys.executable).with_name(program)
    done = subprocess.run([found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"{program} ended with {done.returncode}"


def test_hadolint_has_nothing_to_say_about_the_dockerfile() -> None:
    assert linted("hadolint", "--failure-threshold", "style", "Dockerfile") == ""


def test_the_compose_file_keeps_to_the_compose_schema() -> None:
    assert linted("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml") == ""


@pytest.mark.parametrize(
    ("program", "before", "content"),
    [
        ("hadolint", (), "FROM python\n"),
        ("check-jsonschema", ("--builtin-schema", "vendor.compose-spec"), "services: {bot: {imagine: jargonaut}}\n"),
    ],
)
def test_the_linters_do_complain(program: str, before: tuple[str, ...], content: str, tmp_path: Path) -> None:
    file = tmp_path / "file.yml"
    file.write_text(content)
    assert linted(program, *before, str(file))


# -- The image ----------------------------------------------------------------------------------------------------


def stages() -> list[list[tuple[str, str]]]:
    """Instructions and what follows them, of each stage of the Dockerfile."""
    lines = [line for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    found: list[list[tuple[str, str]]] = []
    for line in re.sub(r"\\\n", "", "\n".join(lines)).splitlines():
        if line.strip():
            instruction, rest = line.split(" ", 1)
            if instruction == "FROM":
                found.append([])
            found[-1].append((instruction, rest.strip()))
    return found


BUILD, IMAGE = stages()


def the(instruction: str) -> str:
    [found] = [rest for name, rest in IMAGE if name == instruction]
    return found


VARIABLES: Final = dict(re.findall(r"([A-Z_]+)=(\S+)", the("ENV")))


def test_both_stages_stand_on_the_same_named_release_of_a_python_that_is_supported() -> None:
    bases = {rest.removesuffix(" AS build") for stage in (BUILD, IMAGE) for name, rest in stage if name == "FROM"}
    assert len(bases) == 1
    match = re.fullmatch(r"python:(3\.\d+)-slim-[a-z]+", bases.pop())
    assert match
    assert f"Programming Language :: Python :: {match[1]}" in PROJECT["classifiers"]


def test_it_starts_the_bot_as_its_first_process_without_a_shell() -> None:
    entry, arguments = json.loads(the("ENTRYPOINT")), json.loads(the("CMD"))
    assert entry == ["jargonaut"]
    assert entry[0] in PROJECT["scripts"]
    assert arguments == ["run"]
    assert set(arguments) <= OWN_COMMANDS


def test_nobody_in_it_is_root() -> None:
    user, group = the("USER").split(":")
    assert int(user) >= 10_000
    assert int(group) >= 10_000
    [making] = [rest for name, rest in IMAGE if name == "RUN"]
    assert f"--uid {user}" in making
    assert f"--owner={user} --group={group} --mode=0750 /data" in making
    assert [name for name, _ in IMAGE].index("USER") > [name for name, _ in IMAGE].index("COPY")


def test_its_variables_are_settings_and_where_state_goes_is_the_volume() -> None:
    around = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "HOME", "XDG_STATE_HOME"}
    assert set(VARIABLES) - around <= set(FIELDS)
    assert json.loads(the("VOLUME")) == [VARIABLES["XDG_STATE_HOME"]]
    assert VARIABLES["HOME"] == VARIABLES["XDG_STATE_HOME"]
    assert (VARIABLES["OPS_HOST"], VARIABLES["HTTP_HOST"]) == ("0.0.0.0", "0.0.0.0")
    assert the("EXPOSE").split() == [VARIABLES["HTTP_PORT"], VARIABLES["OPS_PORT"]]
    assert the("EXPOSE").split() == [str(FIELDS["HTTP_PORT"].default), str(FIELDS["OPS_PORT"].default)]


def test_nothing_gets_in_but_what_is_copied_by_name() -> None:
    copied = {source for name, rest in BUILD if name == "COPY" for source in rest.split()[:-1]}
    rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule[0] == "!"} == copied
    assert {"**/.env", "**/*.sqlite*"} <= set(rules[rules.index("**/__pycache__/") :])
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert [rest for name, rest in IMAGE if name == "COPY"] == ["--from=build /opt/jargonaut /opt/jargonaut"]


def health_check() -> list[str]:
    command: list[str] = json.loads(the("HEALTHCHECK").partition(" CMD ")[2])
    return [sys.executable, *command[1:]]


async def asked(**variables: str) -> int:
    process = await asyncio.create_subprocess_exec(
        *health_check(), env={**os.environ, **variables}, stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait()


async def test_its_health_check_asks_the_bot() -> None:
    async def look() -> Readiness:
        return Readiness(False)

    server = HealthServer("127.0.0.1", 0, Metrics(), look)
    await server.start()
    port = str(server.address[1])
    assert await asked(OPS_HOST="127.0.0.1", OPS_PORT=port) == 0
    assert await asked(OPS_HOST="0.0.0.0", OPS_PORT=port) == 0
    await server.stop()
    assert await asked(OPS_HOST="127.0.0.1", OPS_PORT=port) == 1
    assert await asked(OPS_HOST="", OPS_PORT=port) == 0


# -- The locks of the image ---------------------------------------------------------------------------------------


def lock(name: str) -> dict[str, Any]:
    return pins((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", ["requirements.run.lock", "requirements.build.lock"])
def test_what_goes_into_the_image_is_what_was_tested(name: str) -> None:
    tested = lock("requirements.lock")
    assert {package: version for package, version in lock(name).items() if tested.get(package) != version} == {}
    assert "://" not in (ROOT / name).read_text("utf-8")


def test_the_bot_has_all_that_it_runs_on_and_no_tools() -> None:
    running = set(lock("requirements.run.lock"))
    assert {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]} <= running
    tools = {canonicalize_name(Requirement(line).name) for line in PROJECT["optional-dependencies"]["dev"]}
    assert tools & running == set()
    assert "hatchling" in lock("requirements.build.lock")


# -- The compose file ---------------------------------------------------------------------------------------------


def test_its_services_and_their_profiles() -> None:
    assert {name: service.get("profiles", []) for name, service in SERVICES.items()} == {
        "bot": [],
        "postgres": [],
        "terminal": ["terminal"],
        "slack-http": ["scale"],
        "proxy": ["scale"],
    }
    assert set(OURS) == {"bot", "terminal", "slack-http"}


@pytest.mark.parametrize("name", OURS)
def test_ours_run_a_command_that_there_is_with_settings_that_there_are(name: str) -> None:
    service = SERVICES[name]
    assert service.get("command", "run") in OWN_COMMANDS
    assert set(service["environment"]) <= set(FIELDS)
    assert service["env_file"] == [{"path": ".env", "required": False}]


@pytest.mark.parametrize("name", [*OURS, "proxy"])
def test_what_others_reach_can_change_nothing_around_it(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert any(place.split(":")[0] == "/tmp" for place in service["tmpfs"])
    assert not {"privileged", "cap_add", "network_mode", "pid"} & set(service)


def test_only_the_proxy_is_reached_from_outside_and_only_from_this_machine() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "proxy": ["127.0.0.1:3000:8080"]
    }
    assert SERVICES["postgres"]["networks"] == ["database"]
    assert COMPOSE["networks"]["database"] == {"internal": True}
    assert "database" not in SERVICES["proxy"]["networks"]


@pytest.mark.parametrize("name", OURS)
def test_postgresql_is_waited_for_until_it_answers_over_tcp(name: str) -> None:
    """While it sets itself up, it answers at its own socket, and then starts anew."""
    assert SERVICES[name]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    check = SERVICES["postgres"]["healthcheck"]["test"]
    assert check[:4] == ["CMD", "pg_isready", "-h", "127.0.0.1"]


def values(name: str, **dot_env: str) -> dict[str, Any]:
    """What a service's program gets: the variables of `.env`, and over them its own."""
    own = {
        variable: re.sub(r"\$\{POSTGRES_PASSWORD:-(\w+)\}", r"\1", str(value))
        for variable, value in SERVICES[name]["environment"].items()
    }
    match = re.fullmatch(r"\$\{DATABASE_URL:-(.+)\}", own["DATABASE_URL"])
    assert match
    own["DATABASE_URL"] = dot_env.get("DATABASE_URL") or match[1]
    return {variable.lower(): value for variable, value in {**dot_env, **own}.items()}


@pytest.mark.parametrize("name", OURS)
def test_without_a_word_all_share_one_postgresql(name: str) -> None:
    url = parse_url(values(name)["database_url"])
    server = SERVICES["postgres"]["environment"]
    assert (url.get_backend_name(), url.host) == ("postgresql", "postgres")
    assert (url.username, url.database) == (server["POSTGRES_USER"], server["POSTGRES_DB"])
    assert f"${{POSTGRES_PASSWORD:-{url.password}}}" == server["POSTGRES_PASSWORD"]
    assert values(name, DATABASE_URL="sqlite:////data/jargonaut.sqlite")["database_url"].startswith("sqlite:")


EVERYTHING: Final = {
    "SLACK_BOT_TOKEN": "xoxb-1",
    "SLACK_APP_TOKEN": "xapp-1",
    "SLACK_SIGNING_SECRET": "s",
    "DISCORD_TOKEN": "d",
    "HTTP_HOST": "127.0.0.1",
    "HTTP_PORT": "3999",
    "OPS_HOST": "",
}


@pytest.mark.parametrize(("name", "platforms"), [("bot", ["slack", "discord"]), ("slack-http", ["slack"])])
def test_what_env_holds_is_what_each_connects_to(name: str, platforms: list[str]) -> None:
    settings = Settings(_env_file=None, **values(name, **EVERYTHING))
    assert names(settings) == platforms
    assert (settings.http_host, settings.http_port) == ("0.0.0.0", 3000)
    assert (settings.ops_host, settings.ops_port) == ("0.0.0.0", 8081)


def test_replicas_get_slacks_requests_over_http_whatever_env_holds() -> None:
    settings = Settings(_env_file=None, **values("slack-http", **EVERYTHING))
    assert not settings.slack_app_token.get_secret_value()
    assert not settings.discord_token.get_secret_value()


def test_a_replica_keeps_nothing_and_has_no_address_of_its_own() -> None:
    service = SERVICES["slack-http"]
    assert not {"container_name", "ports", "deploy"} & set(service)
    assert [place for place in service["volumes"] if not place.endswith(":ro")] == []


def test_it_stops_before_docker_loses_patience() -> None:
    assert {SERVICES[name]["stop_grace_period"] for name in OURS} == {"10s"}


def test_what_its_heading_tells_one_to_type_is_there() -> None:
    heading = (ROOT / "docker-compose.yml").read_text("utf-8").split("\nname:")[0]
    run = re.findall(r"docker compose run --rm (\S+)(?: (\w+))?", heading)
    assert {name for name, _ in run} == {"terminal"}
    assert {command for _, command in run if command} <= OWN_COMMANDS
    assert set(re.findall(r"--(?:scale|profile) ([\w-]+)", heading)) == {"scale", "slack-http"}
    assert set(re.findall(r"in the volume\s#?\s*`(\w+)`", heading)) == {"state"} <= set(COMPOSE["volumes"])
