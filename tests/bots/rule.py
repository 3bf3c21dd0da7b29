"""A bot by a plain rule: python tests/bots/rule.py. Words it does not know come first."""

import json
import random
import sys

WANTED = "confirm bank take place roll ruin power return"

for line in sys.stdin:
    legal = json.loads(line)["legal"]
    first = {action: WANTED.find(action.split()[0]) for action in legal}
    best = [action for action in legal if first[action] == min(first.values())]
    longest = max(map(len, best))
    print(random.choice([action for action in best if len(action) == longest]), flush=True)
