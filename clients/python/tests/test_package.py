"""Checks of the whole package."""

from __future__ import annotations

import ast
import compileall
import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import atelier_client
from atelier_client import AsyncAtelier, Atelier

PACKAGE = Path(atelier_client.__file__).parent
PROJECT = PACKAGE.parent
WRITTEN = ("models.py", "refusals.py", "_routes.py")
"""The generated modules."""


def public(kind: type) -> dict[str, object]:
    return {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}


class Package(unittest.TestCase):
    def test_both_clients_have_the_same_methods_and_docstrings(self) -> None:
        blocking, looped = public(Atelier), public(AsyncAtelier)
        self.assertEqual(list(blocking), list(looped))
        for name, method in blocking.items():
            with self.subTest(name):
                other = looped[name]
                self.assertEqual(inspect.getdoc(method), inspect.getdoc(other))
                assert callable(method) and callable(other)
                ours, theirs = inspect.signature(method), inspect.signature(other)
                self.assertEqual(list(ours.parameters), list(theirs.parameters))
                for one, two in zip(ours.parameters.values(), theirs.parameters.values()):
                    self.assertEqual((one.kind, one.default), (two.kind, two.default))
                    kept = str(two.annotation).replace("AsyncProgress", "Progress")
                    self.assertEqual(str(one.annotation), kept)

    def test_it_has_no_dependencies(self) -> None:
        for path in PACKAGE.glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                # Only type checkers import these.
                foreign = {name.split(".")[0] for name in names} - {"typing_extensions"}
                self.assertLessEqual(foreign, sys.stdlib_module_names, path.name)
        text = (PROJECT / "pyproject.toml").read_text()
        self.assertIn("\ndependencies = []\n", text)

    def test_every_module_compiles_without_warnings(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for path in PROJECT.rglob("*.py"):
                ok = compileall.compile_file(
                    path, ddir=folder, quiet=1, force=True, legacy=False, optimize=0
                )
                self.assertTrue(ok, path.name)

    def test_modules_are_small_and_lines_short(self) -> None:
        for path in [*PACKAGE.glob("*.py"), *Path(__file__).parent.glob("*.py")]:
            lines = path.read_text().splitlines()
            if path.name in WRITTEN:
                continue
            self.assertLessEqual(len(lines), 200, path.name)
            self.assertLessEqual(max(map(len, lines), default=0), 100, path.name)
            if path.parent == PACKAGE and path.name != "__init__.py":
                self.assertTrue(ast.get_docstring(ast.parse(path.read_text())), path.name)

    def test_the_project_file_can_be_read(self) -> None:
        if sys.version_info < (3, 11):
            self.skipTest("this Python reads no TOML")
        tomllib = importlib.import_module("tomllib")

        project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
        self.assertEqual(project["name"], "atelier-client")
        self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", atelier_client.__version__))
        self.assertTrue((PACKAGE / "py.typed").exists())
        for name in [project["readme"], "LICENSE"]:
            self.assertTrue((PROJECT / name).exists())

    def test_its_types_are_strict(self) -> None:
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not here")
        command = [sys.executable, "-m", "mypy", "--strict", "atelier_client", "tests"]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_types_of_all_examples_are_strict(self) -> None:
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not here")
        docs = PROJECT.parent.parent / "docs"
        pages = [PROJECT / "README.md", docs / "quickstart.md", docs / "webhooks.md"]
        with tempfile.TemporaryDirectory() as folder:
            for page in pages:
                found = re.findall(r"(?ms)^```python\n(.*?)^```$", page.read_text("utf-8"))
                self.assertTrue(found, page.name)
                for number, example in enumerate(found):
                    (Path(folder) / f"{page.stem}_{number}.py").write_text(example, "utf-8")
            for path in sorted(Path(folder).glob("*.py")):
                command = [sys.executable, "-m", "mypy", "--strict", str(path)]
                environment = {**os.environ, "MYPYPATH": str(PROJECT)}
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                self.assertEqual(done.returncode, 0, f"{path.name}: {done.stdout}")
