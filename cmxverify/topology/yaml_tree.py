"""Moved to ``cmxverify.yaml_tree``; this name goes when nobody imports it any more."""

from cmxverify.yaml_tree import Plain as Plain
from cmxverify.yaml_tree import YamlTree as YamlTree
from cmxverify.yaml_tree import parse_yaml as parse_yaml
from cmxverify.yaml_tree import read_text as read_text
from cmxverify.yaml_tree import read_yaml as read_yaml
