"""Which phrases the code says: the keys that reach a call of `say`, read from the syntax trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Carriers: TypeAlias = list[tuple[str, str]]
"""Functions that say a key, and the parameter that it comes in."""


@dataclass
class Spoken:
    """`keys` as written, `patterns` of f-strings, and `unreadable` places whose key isn't a literal anywhere."""

    keys: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    unreadable: list[str] = field(default_factory=list)

    def says(self, key: str) -> bool:
        return key in self.keys or any(re.fullmatch(pattern, key) for pattern in self.patterns)


def spoken(trees: Iterable[ast.AST]) -> Spoken:
    """Follows keys from literals into `say`, also through functions that take one and pass it on."""
    scopes = [(function, call) for tree in trees for function, call in _calls(tree)]
    signatures = {function.name: function for function, _ in scopes if function is not None}
    found = Spoken()
    carriers: Carriers = [("say", "key")]
    for name, parameter in carriers:  # grows while it's read
        signature = signatures.get(name) if name != "say" else None
        if signature is not None and (default := _default(signature, parameter)) is not None:
            _read(default, None, carriers, found)
        for function, call in scopes:
            if _name(call) == name and (key := _argument(call, parameter, signature)) is not None:
                _read(key, function, carriers, found)
    return found


def _calls(tree: ast.AST, inside: Function | None = None) -> Iterator[tuple[Function | None, ast.Call]]:
    """Every call, with the innermost function around it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield inside, node
        yield from _calls(node, node if isinstance(node, Function) else inside)


def _name(call: ast.Call) -> str:
    """The function that is called. Of methods only `say` counts: `log.error` isn't the `error` that says a key."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr="say" as name):
            return name
    return ""


def _argument(call: ast.Call, parameter: str, signature: Function | None) -> ast.expr | None:
    """What a call passes for a parameter; None: nothing, so that the default counts."""
    for keyword in call.keywords:
        if keyword.arg == parameter:
            return keyword.value
    names = [arg.arg for arg in signature.args.args if arg.arg != "self"] if signature else [parameter]
    position = names.index(parameter) if parameter in names else len(call.args)
    return call.args[position] if position < len(call.args) else None


def _default(function: Function, parameter: str) -> ast.expr | None:
    arguments = function.args
    positional = dict(zip([a.arg for a in arguments.args][::-1], arguments.defaults[::-1], strict=False))
    keyword = dict(zip([a.arg for a in arguments.kwonlyargs], arguments.kw_defaults, strict=True))
    return {**positional, **keyword}.get(parameter)


def _read(key: ast.expr, function: Function | None, carriers: Carriers, found: Spoken) -> None:
    match key:
        case ast.Constant(value=str(text)):
            found.keys.add(text)
        case ast.JoinedStr(values=parts):
            texts = [re.escape(p.value) if isinstance(p, ast.Constant) else r"[\w-]+" for p in parts]
            found.patterns.add("".join(map(str, texts)))
        case ast.IfExp(body=one, orelse=other):
            _read(one, function, carriers, found)
            _read(other, function, carriers, found)
        case ast.Name(id=name) if function is not None and name in _parameters(function):
            if (function.name, name) not in carriers:
                carriers.append((function.name, name))
        case ast.Name(id=name) if function is not None and (values := list(_assigned(function, name))):
            for value in values:
                _read(value, function, carriers, found)
        case _:
            found.unreadable.append(f"{function.name if function else 'module'}: {ast.unparse(key)}")


def _parameters(function: Function) -> set[str]:
    return {arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)}


def _assigned(function: Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield node.value
