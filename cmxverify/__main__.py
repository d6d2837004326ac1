"""``python -m cmxverify``."""

from cmxverify.cli.main import main

main()
