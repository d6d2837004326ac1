"""Files of a topology: where one lies, its includes, and the texts read for it."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from pathlib import Path

from cmxverify.catalog.devices import device_names
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.extent import Template
from cmxverify.topology.schema import TopologyFile, validate_topology
from cmxverify.workload.trace_lines import MAX_TRACE_BYTES
from cmxverify.yaml_tree import YamlTree, parse_yaml, read_text

MAX_INCLUDES = 20
"""Files that may include one another in a chain."""
_TEMPLATE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]{0,79}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read: its path, and the name that messages use for it."""

    path: Path
    shown: str

    def beside(self, name: str) -> SourceFile:
        """The file that this one calls ``name``, relative to its own folder."""
        return SourceFile(self.path.parent / name, os.path.normpath(Path(self.shown).parent / name))


@dataclass
class FileReader:
    """Reads files and keeps what they hold."""

    texts: dict[str, str] = field(default_factory=dict)
    """Text of each file read, by shown name."""
    digests: dict[str, str] = field(default_factory=dict)
    """SHA-256 of each file, by shown name; also of those that are read elsewhere."""
    templates: dict[str, dict[str, Template]] = field(default_factory=dict)
    """Templates of each included file, by real path: a file included twice is read once."""

    def read(self, file: SourceFile, named_at: Location | None = None) -> YamlTree:
        """Read one file; ``named_at`` is the line that names it, for a file that cannot be read.

        Raises:
            InputError: If it cannot be read or is not YAML.
        """
        try:
            text = read_text(file.path, shown=file.shown)
        except InputError as error:
            if named_at is None:
                raise
            fix = "Paths are relative to the file that names them."
            raise InputError(f"file '{file.shown}': {error.what}", at=named_at, fix=fix) from None
        self.texts[file.shown] = text
        self.digests[file.shown] = digest_of(text.encode("utf-8", "surrogatepass"))
        return parse_yaml(text, file.shown)

    def note(self, file: SourceFile) -> None:
        """Keep the digest of a file that others read; they refuse one that cannot be read."""
        digest = digest_of_file(file.path)
        if digest is not None:
            self.digests[file.shown] = digest

    def read_templates(
        self, tree: YamlTree, spec: TopologyFile, file: SourceFile, inside: tuple[str, ...] = ()
    ) -> dict[str, Template]:
        """Templates of the included files, in order, then the file's own; a later one of a name wins.

        Raises:
            InputError: If files include one another in a circle, or a template has the name of a device.
        """
        found: dict[str, Template] = {}
        around = (*inside, os.path.realpath(file.path))
        for index, name in enumerate(spec.include):
            found |= self._included(name, tree.locate(("include", index)), file, around)
        for name, template in spec.templates.items():
            template_tree = tree.find(("templates", name))
            assert template_tree is not None, name
            _refuse_name(name, tree.locate(("templates", name)))
            found[name] = Template(name, template, template_tree)
        return found

    def _included(self, name: str, at: Location, file: SourceFile, inside: tuple[str, ...]) -> dict[str, Template]:
        included = file.beside(name)
        tree = self.read(included, at)
        real = os.path.realpath(included.path)
        if real in inside:
            raise InputError(f"'{name}' includes itself", at=at, fix="Remove the include.")
        if len(inside) > MAX_INCLUDES:
            raise InputError(f"more than {MAX_INCLUDES} files include one another", at=at, fix="Join some of them.")
        if real not in self.templates:
            self.templates[real] = self.read_templates(tree, validate_topology(tree), included, inside)
        return self.templates[real]


def _refuse_name(name: str, at: Location) -> None:
    if name in device_names():
        fix = "Choose another name for the template."
        raise InputError(f"template '{name}' has the name of a catalog device", at=at, fix=fix)
    if not _TEMPLATE_NAME.fullmatch(name):
        fix = "Use letters, digits, '-', '_' and '.'; ranges belong to the nodes."
        raise InputError(f"'{name}' is not a template name", at=at, fix=fix)


def digest_of(content: bytes) -> str:
    """SHA-256 of a file's content, its byte order mark apart."""
    return sha256(content.removeprefix(BOM_UTF8)).hexdigest()


def digest_of_file(path: Path) -> str | None:
    """SHA-256 of a file's content, its byte order mark apart; None for what no input may be: a device, too long."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_TRACE_BYTES:
            return None
        return digest_of(path.read_bytes())
    except (OSError, ValueError):  # not readable; a name that is too long, or holds a NUL
        return None


def shipped_topologies() -> list[str]:
    """Names of the topologies that come with the package."""
    folder = resources.files("models") / "topologies"
    return sorted(Path(each.name).stem for each in folder.iterdir() if each.name.endswith(".yaml"))


def shipped_topology(name: str) -> Path:
    """Path of the shipped topology of that name, whatever lies in the working folder."""
    return Path(str(resources.files("models") / "topologies" / f"{name}.yaml"))


def find_topology(name: str) -> Path:
    """Path of a file, or of a shipped topology of that name; a file of the same name wins.

    Raises:
        InputError: If there is neither.
    """
    path = Path(name)
    if os.path.isfile(path):  # noqa: PTH113  # False, where Path.is_file raises, for a name that is too long
        return path
    shipped = shipped_topologies()
    if name in shipped:
        return shipped_topology(name)
    if os.path.exists(path):  # noqa: PTH110  # a pipe, or a folder, which reading refuses
        return path
    near = did_you_mean(name, shipped)
    fix = near if "mean" in near else f"Shipped topologies: {', '.join(shipped)}."
    raise InputError("no such file or shipped topology", at=Location(name), fix=fix)
