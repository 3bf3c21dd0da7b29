"""The package: what the wheel and the source archive hold, what the metadata say, and what an installed copy finds."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import __version__
from cubiri_cli.table import manual
from cubiri_cli.table.language import LANGUAGES
from tests.support.manual_pages import man_path

if TYPE_CHECKING:
    from email.message import Message

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a wheel and a source archive, built here: no environment is set up for it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(folder.iterdir())) == 2
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(built / f"cubiri_cli-{__version__}-py3-none-any.whl")


@pytest.fixture(scope="module")
def archive(built: Path) -> Path:
    """Return the folder of the source archive, unpacked."""
    name = f"cubiri_cli-{__version__}"
    with tarfile.open(built / f"{name}.tar.gz") as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(built / "unpacked", filter="data")
        else:  # Python 3.11.0 to 3.11.3
            packed.extractall(built / "unpacked")
    return built / "unpacked" / name


def sources(*folders: str) -> set[str]:
    """Return the files in folders of this repository, without what running leaves there."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}


def metadata(wheel: zipfile.ZipFile) -> Message:
    return message_from_bytes(wheel.read(f"cubiri_cli-{__version__}.dist-info/METADATA"))


def test_the_wheel_holds_the_package_the_manual_pages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    info, data = f"cubiri_cli-{__version__}.dist-info", f"cubiri_cli-{__version__}.data/data/share/man"
    shared = {f"{data}/{man_path(language, name)}" for language in LANGUAGES for name in manual.PAGES}
    about = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
    assert set(wheel.namelist()) == sources("cubiri_cli") | shared | about


def test_the_pages_of_man_are_made_where_nothing_but_the_parser_is_installed() -> None:
    """As pip builds: without what the program needs."""
    code = (
        "import sys; sys.path.append(sys.argv[1]); sys.modules.update(dict.fromkeys(sys.argv[2:]));"
        "from cubiri_cli.table import language, manual;"
        "[(language.speak(code), print(len(manual.page_text(name))))"
        " for code in language.LANGUAGES for name in manual.PAGES]"
    )
    needed = [re.split("[><=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]]
    command = [sys.executable, "-I", "-c", code, str(ROOT), *needed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) == len(LANGUAGES) * len(manual.PAGES)


def test_the_source_archive_holds_what_the_repository_holds_and_nothing_else(archive: Path) -> None:
    top = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml"}
    top |= {".pre-commit-hooks.yaml", ".gitattributes", "action.yml"}
    held = {path.relative_to(archive).as_posix() for path in archive.rglob("*") if path.is_file()}
    written_by_the_build = {"PKG-INFO", ".gitignore"}
    expected = sources("cubiri_cli", "docs", "learning", "tests", "replays", "man", ".ci", ".github") | top
    assert held - written_by_the_build == expected
    assert {"cubiri_cli/py.typed", "cubiri_cli/table/locale/fi/LC_MESSAGES/cubiri.mo"} <= held


def test_tests_in_the_unpacked_source_archive_pass(archive: Path) -> None:
    """A few of them, for each kind of file they need: sources, translations, manual pages, recorded games."""
    some = ["tests/games/test_games_dice.py", "tests/test_house.py", "tests/replays/test_record_golden.py"]
    some += ["tests/documents/test_man_replay.py", "cubiri_cli/table/manual.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(archive), *some]
    done = subprocess.run(command, cwd=archive, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout


def test_the_metadata_say_what_it_is(wheel: zipfile.ZipFile) -> None:
    said = metadata(wheel)
    classifiers = said.get_all("Classifier") or []
    assert said["Version"] == __version__
    assert said["License-Expression"] == "MIT"
    assert said["License-File"] == "LICENSE"
    assert said["Requires-Python"] == ">=3.11"
    spoken = {f"Natural Language :: {language.name}" for language in LANGUAGES.values()}
    assert {one for one in classifiers if one.startswith("Natural Language")} == spoken
    systems = {"MacOS", "Microsoft :: Windows", "POSIX :: Linux"}
    assert {one for one in classifiers if one.startswith("Operating")} == {
        f"Operating System :: {one}" for one in systems
    }
    assert "dice" in said["Keywords"].split(",")
    assert said.get_payload(decode=True) == (ROOT / "README.md").read_bytes()
    # Two names: `uvx cubiri-cli` and `pipx run cubiri-cli` run the script that is called as the package is.
    scripts = wheel.read(f"cubiri_cli-{__version__}.dist-info/entry_points.txt").decode()
    assert set(scripts.split("\n")) >= {f"{name} = cubiri_cli.__main__:main" for name in ("cubiri", "cubiri-cli")}


def test_what_it_needs_is_what_it_imports() -> None:
    """Nothing that is imported is missing from the requirements, and nothing stands there that is not imported."""
    needed = {re.split("[><=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]}
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / "cubiri_cli").rglob("*.py"))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE))
    assert needed <= imported
    assert imported - needed - set(sys.stdlib_module_names) == {"cubiri_cli"}


def test_the_change_log_describes_this_version_or_the_next() -> None:
    newest = re.search(
        r"^## (\d+)\.(\d+)\.(\d+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    this = re.match(r"(\d+)\.(\d+)\.(\d+)", __version__)
    assert newest
    assert this
    assert [int(number) for number in newest.groups()] >= [int(number) for number in this.groups()]


def test_an_installed_copy_finds_its_manual_pages_rules_and_words(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "site")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from cubiri_cli.__main__ import main; main()"
    for arguments, said in (
        (["help", "--lang", "fi"], "YLEISKATSAUS"),
        (["help", "cubiri-replay", "--lang", "sk"], "MENO"),
        (["rules", "mishimash", "--lang", "sk"], "Venovanie"),
        (["--help", "--lang", "fi"], "Komennot:"),
    ):
        command = [sys.executable, "-c", code, str(tmp_path / "site"), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert said in done.stdout, done.stderr


@pytest.mark.skipif(not shutil.which("man"), reason="no man here")
@pytest.mark.parametrize(
    ("language", "said"), [("", "cubiri - CUBIRI dice games"), ("fi", "YLEISKATSAUS"), ("sk", "PREHĽAD")]
)
def test_man_finds_and_shows_the_installed_pages(
    wheel: zipfile.ZipFile, tmp_path: Path, language: str, said: str
) -> None:
    wheel.extractall(tmp_path)
    folder = tmp_path / f"cubiri_cli-{__version__}.data" / "data" / "share" / "man" / language
    command = ["man", "-M", str(folder), "-P", "cat", "6", "cubiri"]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False, env=environment)
    assert said in re.sub(" +", " ", done.stdout), done.stderr
