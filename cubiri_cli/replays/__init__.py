"""The record: replays are read, written and verified here, and a game in progress is recorded.

A game that is played here leaves its replay, and anybody's replay is verified in two lines:

>>> from cubiri_cli.replays.session import Player, Session
>>> session = Session.begin("mishimash", {"target": 10}, [Player("Ada")], "42")
>>> while not session.game.over:
...     actions = session.game.legal_actions()
...     outcome = session.do("bank" if "bank" in actions else max(actions, key=len))
>>> replay = session.text()

>>> from cubiri_cli.replays.verifying import verify
>>> verify(replay.encode()).status
'verified'
>>> verify(replay.replace('seed = "42"', 'seed = "43"').encode())[:2]
('dice', 'turn 1, entry 1')

`verify_file(path)` does the same with a file.
"""
