"""What the README tells an owner to type works as it stands there."""

from __future__ import annotations

import re

from django.core.management import load_command_class

from tests.unit.test_settings import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_commands_of_backups_have_the_options_that_the_readme_names() -> None:
    lines = re.findall(
        r"^    \.venv/bin/python manage\.py (backup|verify|restore) (.*?)(?:  .*)?$", README, re.MULTILINE
    )
    assert [name for name, _ in lines] == ["backup", "verify", "restore"]
    for name, words in lines:
        parser = load_command_class("config", name).create_parser("manage.py", name)
        assert parser.parse_args(re.sub(r"\$\(.*?\)", "today", words).split()).file.name.endswith(".backup")


def test_each_variable_of_the_settings_stands_in_the_table() -> None:
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", settings))
    told = set(re.findall(r"`([A-Z_]+)`", README.partition("| variable |")[2].partition("All may stand")[0]))
    assert read == told
