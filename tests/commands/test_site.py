"""`cubiri leaderboard --site`: pages of a folder of replays, whatever lies in it; what is not its own stays."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from cubiri_cli.commands import processes
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.writing import write
from cubiri_cli.store.site import _remembered
from cubiri_cli.table.replay_page import replay_page
from tests.support.pages import HOSTILE, Page, check_page
from tests.support.running import cubiri

if TYPE_CHECKING:
    from cubiri_cli.table.transcript import Recording

REPLAYS = Path(__file__).parents[2] / "replays"
ATOM = "{http://www.w3.org/2005/Atom}"

NAMES = (
    *HOSTILE,
    "../../../../etc/passwd",
    "$(touch hacked)`touch hacked`",
    "a|b; rm -rf . &",
    "con.html",
    "@everyone <!DOCTYPE html>",
)
"""Names and comments that try to be markup, a script, a path or a command."""

FILES = (
    "<script>alert(1)<",
    "\"><img src=x onerror='a()'>",
    "$(touch hacked)",
    "`touch hacked`",
    "a;touch hacked;",
    "-rf",
    "--help",
    "::error::x",
    "##[group]x",
    "index.html",
    "..",
    "...",
    " ",
    "a\nb",
    "\x1b[31mred",
    "\u202egnp",
    "%2e%2e%2f",
    "games",
    "feed.xml",
    "&#x3c;b>",
)
"""Names of files and folders that do."""


def play(session: Session) -> str:
    """Play a game to its end, take all and bank, and return its replay."""
    while not session.game.over:
        actions = session.game.legal_actions()
        session.do("bank" if "bank" in actions else max(actions, key=len))
    return session.text()


def game(name: str = "Ada", seed: str = "42", bot: str | None = None, hint: bool = False, target: int = 30) -> str:
    """Return the replay of a game that was played by a simple rule."""
    session = Session.begin("mishimash", {"target": target}, [Player(name, bot)], seed)
    if hint:
        session.do("roll")
        session.do("hint")
    return play(session)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the recorded games."""
    return Path(shutil.copytree(REPLAYS, tmp_path / "replays"))


def made(*arguments: object, site: Path) -> dict[str, bytes]:
    """Make a site and return its files."""
    ran = cubiri("leaderboard", *arguments, "--site", site)
    assert (ran.status, ran.out) == (0, "")
    assert ran.message
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def text_of(files: dict[str, bytes], name: str = "index.html") -> str:
    return files[name].decode()


def test_a_site_has_its_tables_a_page_a_game_and_a_feed(folder: Path, tmp_path: Path) -> None:
    files = made("--from", folder, site=tmp_path / "site")
    pages = {name for name in files if name.startswith("games/")}
    assert set(files) == {"index.html", "feed.xml", *pages}
    assert len(pages) == len(list(folder.iterdir()))
    assert all(re.fullmatch(r"games/[0-9a-f]{32}\.html", name) for name in pages)
    index = check_page(text_of(files))
    linked = {one.attributes["href"] for one in index.all("a") if one.attributes["href"].startswith("games/")}
    assert linked == pages
    for name in pages:
        assert check_page(text_of(files, name)).all("a", href="../index.html")
    for heading in ("MAGDAGDON · survival", "MISHIMASH · 1000", "MISHIMASH · 60 · several players", "Newest games"):
        assert heading in index.text
    assert "Not verified" not in index.text
    # In rank order, as the command says it.
    table = text_of(files).split(">MAGDAGDON · survival</h2>")[1].split("</table>")[0]
    assert re.findall(r"<td class=n>(\d+)<td class=who>", table) == ["1", "2", "3"]
    assert re.findall(r"</a><td class=n>(\d+)", table) == ["544", "459", "389"]


def test_made_anew_it_is_the_same_and_only_what_changed_is_written(folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = made("--from", folder, site=site)
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    assert made("--from", folder, site=site) == first
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == times
    assert made("--from", folder, site=tmp_path / "other") == first
    (folder / "more.toml").write_text(game("Zuzka"), "utf-8")
    second = made("--from", folder, site=site)
    [new] = set(second) - set(first)
    assert {name for name in first if first[name] != second[name]} <= {"index.html", "feed.xml"}
    assert "Zuzka" in text_of(second, new)
    (folder / "more.toml").unlink()
    assert made("--from", folder, site=site) == first


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the digests of the games whose pages are rendered, as that happens."""
    digests: list[str] = []

    def note(recording: Recording, *others: Any) -> str:
        digests.append(recording.replay.digest)
        return replay_page(recording, *others)

    monkeypatch.setattr("cubiri_cli.commands.site.replay_page", note)
    return digests


def test_only_what_changed_is_rendered_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rendered: list[str]
) -> None:
    site, count = tmp_path / "site", len(list(folder.iterdir()))
    first = made("--from", folder, site=site)
    assert len(rendered) == count
    assert made("--from", folder, site=site) == first
    assert len(rendered) == count
    (folder / "more.toml").write_text(game("Zuzka"), "utf-8")
    made("--from", folder, site=site)
    assert len(rendered) == count + 1
    made("--from", folder, "--lang", "sk", site=site)
    assert len(rendered) == 2 * (count + 1)
    monkeypatch.setattr("cubiri_cli.commands.site._program", lambda: "another version")
    made("--from", folder, "--lang", "sk", site=site)
    assert len(rendered) == 3 * (count + 1)


@pytest.mark.parametrize("damage", ["cut off", "empty", "changed", "gone"])
def test_a_page_that_is_not_as_it_was_made_is_mended(
    damage: str, folder: Path, tmp_path: Path, rendered: list[str]
) -> None:
    site = tmp_path / "site"
    first = made("--from", folder, site=site)
    path = next((site / "games").iterdir())
    page = path.read_bytes()
    path.unlink()
    if damage != "gone":
        changed = page.replace(b"<p>", b"<p><script>a()</script>", 1)
        path.write_bytes({"cut off": page[:1000], "empty": b"", "changed": changed}[damage])
    del rendered[:]
    assert made("--from", folder, site=site) == first
    assert len(rendered) == 1


def test_a_page_that_others_made_is_never_taken_for_one_of_its_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rendered: list[str]
) -> None:
    """Whoever sends a whole site along, with pages and whatever else, has nothing of it published."""
    first = made("--from", folder, site=tmp_path / "site")
    for path in (tmp_path / "site" / "games").iterdir():
        path.write_bytes(path.read_bytes().replace(b"<main>", b"<main><script>a()</script>"))
    shutil.copytree(tmp_path / "site", tmp_path / "sent")
    assert made("--from", folder, site=tmp_path / "sent") == first
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "another home"))
    assert made("--from", folder, site=tmp_path / "site") == first
    assert len(rendered) == 3 * len(list(folder.iterdir()))


def test_a_site_is_made_where_nothing_can_be_remembered(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "file" / "home"))
    assert made("--from", folder, site=tmp_path / "site") == made("--from", folder, site=tmp_path / "site")


@pytest.mark.parametrize("record", [b"", b"\xff\xfe", b"x\n" * 9, b"{}"])
def test_a_damaged_memory_is_none(record: bytes, folder: Path, tmp_path: Path, rendered: list[str]) -> None:
    first = made("--from", folder, site=tmp_path / "site")
    [path] = (Path(os.environ["CUBIRI_HOME"]) / "sites").iterdir()
    path.write_bytes(record)
    _remembered.cache_clear()
    assert made("--from", folder, site=tmp_path / "site") == first
    assert len(rendered) == 2 * len(list(folder.iterdir()))


def test_several_processes_make_the_same_site(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(70):
        (folder / f"more-{number}.toml").write_text(game(f"Player {number}", f"s-{number}"), "utf-8")
    (folder / "wrong.toml").write_text("x =", "utf-8")
    monkeypatch.setattr("cubiri_cli.commands.site.cores", lambda: 1)
    one = made("--from", folder, site=tmp_path / "one")
    monkeypatch.setattr("cubiri_cli.commands.site.cores", lambda: 2)
    assert processes.cores() >= 1
    assert made("--from", folder, site=tmp_path / "two") == one


def test_what_does_not_verify_is_listed_with_its_status_and_has_no_page(folder: Path, tmp_path: Path) -> None:
    power = folder / "magdagdon-survival-power-kills-roll.toml"
    (folder / "sub").mkdir()
    forged = re.sub(r"^score = .*", "score = 544", power.read_text("utf-8"), flags=re.MULTILINE)
    (folder / "sub" / "forged.toml").write_text(forged, "utf-8")
    (folder / "sub" / "broken.toml").write_text("x =", "utf-8")
    (folder / "begun.toml").write_text(power.read_text("utf-8").split("[[turns]]")[0], "utf-8")
    (folder / "unfinished.toml").write_text(game().split("\n[result]")[0].rsplit('    "bank"', 1)[0] + "]\n", "utf-8")
    files = made("--from", folder, site=tmp_path / "site")
    assert len(files) == 2 + len(list(REPLAYS.iterdir()))
    listed = text_of(files).split("id=others>")[1]
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in listed.split("<tr>")[2:]]
    assert [(row[0], row[1]) for row in rows] == [
        ("begun.toml", "malformed"),
        ("sub/broken.toml", "malformed"),
        ("sub/forged.toml", "mismatch"),
        ("unfinished.toml", "unfinished"),
    ]
    assert "result.score: 544 is claimed, 389 is right" in listed
    assert str(tmp_path) not in text_of(files)


def test_the_games_of_a_day_have_tables_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for day in ("daily-2026-11-29", "daily-2026-11-30", "42"):
        for name in ("Ada", "Väinö"):
            (folder / f"{day}-{name}.toml").write_text(game(name, day), "utf-8")
    days = text_of(made("--from", folder, site=tmp_path / "site")).split("id=days>")[1]
    assert re.findall(r"<summary>(.*?)</summary>", days) == ["daily-2026-11-30", "daily-2026-11-29"]
    assert days.count("<td class=who>") == 4


def test_bots_are_not_ranked_and_hints_only_where_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.toml").write_text(game("Ada"), "utf-8")
    (folder / "b.toml").write_text(game("Robo", bot="steady"), "utf-8")
    (folder / "c.toml").write_text(game("Väinö", hint=True), "utf-8")
    index = text_of(made("--from", folder, site=tmp_path / "site"))
    newest, ranked = index.split("id=t1>")
    assert all(name in newest for name in ("Ada", "Robo (bot: steady)", "Väinö"))
    assert "a bot played in it; such games are not ranked" in newest
    assert [name for name in ("Ada", "Robo", "Väinö") if name in ranked] == ["Ada"]
    ranked = text_of(made("--from", folder, "--assisted", site=tmp_path / "site")).split("id=t1>")[1]
    assert [name for name in ("Ada", "Robo", "Väinö *") if name in ranked] == ["Ada", "Väinö *"]


def test_the_same_game_is_listed_once(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    text = game()
    (folder / "a.toml").write_text(text, "utf-8")
    (folder / "b.toml").write_text(text, "utf-8")
    replay = read(text.encode())
    replay.comment = "again"
    (folder / "c.toml").write_text(write(replay), "utf-8")
    files = made("--from", folder, site=tmp_path / "site")
    assert [name for name in files if name.startswith("games/")].__len__() == 2
    assert len(Page(text_of(files)).all("td", class_="who")) == 2  # the newest, and its table


def test_what_is_asked_for_is_what_is_shown(folder: Path, tmp_path: Path) -> None:
    files = made("magdagdon", "--from", folder, "--difficulty", "survival", "--limit", 2, site=tmp_path / "site")
    assert len(files) == 2 + 3
    assert text_of(files).split("id=t1>")[1].count("<td class=who>") == 2
    files = made("--from", folder, "--seed", "thousand-14", site=tmp_path / "site")
    assert len(files) == 2 + 1


def test_without_from_it_is_of_the_games_at_home(tmp_path: Path) -> None:
    assert cubiri("play", "--script", REPLAYS / "mishimash-solo-straight.toml").status == 0
    assert len(made(site=tmp_path / "site")) == 3


def test_an_empty_folder_makes_an_empty_site(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    files = made("--from", tmp_path / "games", site=tmp_path / "site")
    assert set(files) == {"index.html", "feed.xml"}
    check_page(text_of(files))


def test_the_feed_has_the_records_the_newest_first(folder: Path, tmp_path: Path) -> None:
    feed = ElementTree.fromstring(made("--from", folder, site=tmp_path / "site")["feed.xml"])
    entries = feed.findall(f"{ATOM}entry")
    titles = [one.findtext(f"{ATOM}title") for one in entries]
    assert "Väinö: MAGDAGDON survival, 544" in titles
    assert "Zuzka: MAGDAGDON survival, 459" not in titles or titles.index("Väinö: MAGDAGDON survival, 544") < 20
    updated = [one.findtext(f"{ATOM}updated") or "" for one in entries]
    assert updated == sorted(updated, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == updated[0]
    names = [one.findtext(f"{ATOM}id") or "" for one in entries]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", name) for name in names)
    for one in entries:
        link = one.find(f"{ATOM}link")
        assert link is not None
        assert (tmp_path / "site" / link.attrib["href"]).is_file()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_and_no_comment_is_anything_but_text(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for file, player, comment in (("a", name[:32].strip(), f"{name}\n{name}"), ("b", "Zuzka", "a\nb")):
        replay = read(game(player, target=30 if file == "a" else 31).encode())
        replay.comment = comment
        (folder / f"{file}.toml").write_text(write(replay), "utf-8")
    files = made("--from", folder, site=tmp_path / "site")
    one, other = [name for name in files if name.startswith("games/")]
    assert [e.tag for e in Page(text_of(files, one)).elements] == [e.tag for e in Page(text_of(files, other)).elements]
    index = check_page(text_of(files))
    assert name[:32].strip() in index.text
    assert {one.tag for one in index.elements} <= {one.tag for one in check_page(PLAIN).elements}
    feed = ElementTree.fromstring(files["feed.xml"])
    assert f"{name[:32].strip()}: MISHIMASH to 30" in "".join(feed.itertext())
    for text in files.values():
        assert not re.search(rb"^\s*::|##\[", text, re.MULTILINE)
    assert not (tmp_path / "hacked").exists()


@pytest.fixture(autouse=True, scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the first page of a site of everyday games, to compare with."""
    global PLAIN
    base = tmp_path_factory.mktemp("plain")
    (base / "x.toml").write_text("x =", "utf-8")
    shutil.copy(REPLAYS / "mishimash-solo-straight.toml", base)
    (base / "d.toml").write_text(game(seed="daily-2026-11-30"), "utf-8")
    assert cubiri("leaderboard", "--from", base, "--site", base / "site").status == 0
    PLAIN = (base / "site" / "index.html").read_text("utf-8")


PLAIN = ""


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be called so there")
def test_no_name_of_a_file_or_folder_is_anything_but_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "games"
    base.mkdir()
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(FILES):
        (base / f"{name}.toml").write_text("x =" if number % 2 else game(f"Player {number}"), "utf-8")
        inner = base / f"{number}{name}" / name.strip(". ") if name.strip(". ") else base / f"{number}{name}"
        inner.mkdir(parents=True)
        (inner / "wrong.toml").write_text("x =", "utf-8")
    (base / "folder.toml").mkdir()
    (base / "out.toml").symlink_to(REPLAYS / "mishimash-solo-straight.toml")
    (base / "gone.toml").symlink_to("nowhere")
    (base / "round").symlink_to(base)
    before = sorted(tmp_path.iterdir())
    files = made("--from", "games", site=tmp_path / "site")
    assert set(tmp_path.iterdir()) == {*before, tmp_path / "site", tmp_path / "cubiri-home"}
    assert all(re.fullmatch(r"index\.html|feed\.xml|games/[0-9a-f]{32}\.html", name) for name in files)
    assert len(files) == 2 + len(FILES) // 2
    index = check_page(text_of(files))
    assert {one.tag for one in index.elements} <= {one.tag for one in check_page(PLAIN).elements}
    assert "a link out of the folder; nothing is read through it" in index.text
    assert text_of(files).count("<td>malformed") == len(FILES) + len(FILES) // 2
    assert "\x1b" not in text_of(files)
    assert "\u202e" not in text_of(files)


# What is not its own


def test_nothing_is_written_over_what_is_not_its_own(folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    files = made("--from", folder, site=site)
    page = next(name for name in files if name.startswith("games/"))
    for name in ("index.html", "feed.xml", page):
        shutil.rmtree(site)
        (site / name).parent.mkdir(parents=True)
        (site / name).write_text("<h1>my page</h1>", "utf-8")
        ran = cubiri("leaderboard", "--from", folder, "--site", site)
        assert (ran.status, ran.out) == (2, "")
        assert ran.message.endswith(f"{Path(name).name} is not a page of such a site; nothing is written over it")
        assert [path.read_text("utf-8") for path in site.rglob("*") if path.is_file()] == ["<h1>my page</h1>"]


def test_what_else_lies_in_the_folder_stays(folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "games").mkdir(parents=True)
    for name in ("CNAME", "about.html", "games/mine.html", "games/0123.html"):
        (site / name).write_text("mine", "utf-8")
    files = made("--from", folder, site=site)
    assert all(files[name] == b"mine" for name in ("CNAME", "about.html", "games/mine.html", "games/0123.html"))
    shutil.rmtree(folder)
    folder.mkdir()
    files = made("--from", folder, site=site)
    assert set(files) == {"index.html", "feed.xml", "CNAME", "about.html", "games/mine.html", "games/0123.html"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need permissions there")
def test_no_link_leads_out_of_the_site(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "index.html").write_text("mine", "utf-8")
    site = tmp_path / "site"
    site.mkdir()
    (site / "games").symlink_to(outside)
    assert cubiri("leaderboard", "--from", folder, "--site", site).status == 2
    (site / "games").unlink()
    (site / "index.html").symlink_to(outside / "index.html")
    assert cubiri("leaderboard", "--from", folder, "--site", site).status == 2
    assert [path.read_text("utf-8") for path in outside.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--add", "x.toml", "--site", "s"), "exclude each other"),
        (("--rebuild", "--site", "s"), "exclude each other"),
        (("--from", "nowhere", "--site", "s"), "no such file or folder"),
        (("--from", ".", "--site", "file"), "file"),
        (("--from", ".", "--site", "file/s"), "file"),
    ],
)
def test_a_wrong_call_is_said_in_one_line(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / "x.toml").write_text("", "utf-8")
    ran = cubiri("leaderboard", *arguments)
    assert ran.status == 2
    assert said in ran.message
