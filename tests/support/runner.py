"""A runner of workflows, as far as ours need one: the steps of jobs and of our action, each in a shell of its own."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from tests.support.documents import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SERVICES = {
    "actions/checkout",
    "actions/setup-python",
    "actions/upload-pages-artifact",
    "actions/deploy-pages",
}
"""What others provide: these steps are taken as done."""

ACTION = "OWNER/cubiri-cli@v1"
"""How workflows name the action of this repository."""

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load(path: Path) -> Any:
    """Return what a YAML file holds; the key `on`, which YAML 1.1 takes for true, by its name."""
    found = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in found.items()}


def needed(*names: str) -> Iterator[Path]:
    """Yield what distributions and all that they need have in `site-packages`: modules, and their metadata."""
    waiting, seen = list(names), set()
    while waiting:
        name = re.split(r"[^\w.-]", waiting.pop())[0]
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        try:
            found = distribution(name)
        except ImportError:
            continue  # for another system
        waiting += [one for one in found.requires or () if "extra ==" not in one]
        tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
        yield from (Path(str(found.locate_file(top))) for top in tops)


@dataclass
class Runner:
    """A machine that runs steps: the folder at hand, where it keeps things, and what it finds programs by."""

    workspace: Path
    temp: Path
    path: str
    environment: Mapping[str, str] = field(default_factory=dict)
    log: str = ""

    @property
    def summary(self) -> str:
        """What stands on the page of the run."""
        file = self.temp / "summary.md"
        return file.read_text("utf-8") if file.exists() else ""

    def job(self, job: Mapping[str, Any]) -> bool:
        """Run the steps of a job; tell whether all were done."""
        return self._steps(job["steps"], {}, {}, "bash -e")

    def action(self, inputs: Mapping[str, str]) -> bool:
        """Run the action of this repository."""
        action = load(ROOT / "action.yml")
        unknown = set(inputs) - set(action["inputs"])
        assert not unknown, unknown
        given = {name: inputs.get(name, str(one.get("default", ""))) for name, one in action["inputs"].items()}
        for step in action["runs"]["steps"]:
            assert "uses" in step or step["shell"] == "bash"
        where = {"GITHUB_ACTION_PATH": str(ROOT)}
        return self._steps(action["runs"]["steps"], given, where, "bash --noprofile --norc -eo pipefail")

    def _steps(
        self, steps: list[Mapping[str, Any]], inputs: Mapping[str, str], more: Mapping[str, str], shell: str
    ) -> bool:
        good = True
        for step in steps:
            if not good and "cancelled()" not in str(step.get("if", "")):
                continue
            if "uses" in step:
                name = step["uses"]
                if name == ACTION:
                    good = self.action(step.get("with", {})) and good
                else:
                    assert name.partition("@")[0] in SERVICES, name
                continue
            env = {
                name: _EXPRESSION.sub(lambda found: _value(found[1], inputs), str(value))
                for name, value in step.get("env", {}).items()
            }
            good = self.script(step["run"], shell, {**more, **env}) and good
        return good

    def script(self, text: str, shell: str = "bash -e", environment: Mapping[str, str] | None = None) -> bool:
        """Run a script as a file, in the folder at hand; tell whether it ended well."""
        assert "${{" not in text, "what comes from outside must not become part of a script"
        file = self.temp / "script.sh"
        file.write_text(text, "utf-8")
        done = subprocess.run(
            [*shell.split(), str(file)],
            cwd=self.workspace,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))},
                **self.environment,
                "PATH": self.path,
                "GITHUB_ACTIONS": "true",
                "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
                "RUNNER_TEMP": str(self.temp),
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        self.log += done.stdout
        return done.returncode == 0


def _value(expression: str, inputs: Mapping[str, str]) -> str:
    assert expression.startswith("inputs."), expression
    return inputs[expression.removeprefix("inputs.")]
