"""Reads examples with the classes that quicktype made, gives them back, and prints what did not come back as it was."""

import json
import sys
import types
from datetime import datetime


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


# What the classes read moments with, a package that not every machine has.
parser = types.ModuleType("dateutil.parser")
parser.parse = moment
sys.modules["dateutil"] = types.ModuleType("dateutil")
sys.modules["dateutil"].parser = parser
sys.modules["dateutil.parser"] = parser

sys.path.insert(0, sys.argv[1] + "/quicktype")
import models  # noqa: E402


def meaning(value):
    """The value as any language reads it: moments by their time, and null like an absent field."""
    if isinstance(value, dict):
        return {name: meaning(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [meaning(each) for each in value]
    try:
        return moment(value) if isinstance(value, str) else value
    except ValueError:
        return value


with open(sys.argv[1] + "/examples.json", encoding="utf-8") as file:
    examples = json.load(file)
for name, example in examples:
    try:
        given = getattr(models, name).from_dict(example).to_dict()
    except Exception as error:
        print(name, "is not read:", repr(error))
        continue
    if meaning(given) != meaning(example):
        print(name, "comes back as", json.dumps(given), "and was", json.dumps(example))
