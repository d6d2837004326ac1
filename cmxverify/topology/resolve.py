"""Figures of nodes: what the file says wins, the catalog fills in the rest and says what it assumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from cmxverify.catalog.devices import Device
from cmxverify.catalog.devices import device as catalog_device
from cmxverify.catalog.figure import Figure
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.expand import Expansion, RawNode
from cmxverify.topology.model import AssumedFigure, AssumedUse, Container, Node, NodeKind, Place, Tier

_PER_DRIVE = {"capacity", "read", "write", "idle", "full"}
_POWERED = (Tier.G3, Tier.G35, Tier.G4)
_TIERS = {
    NodeKind.GPU: (Tier.G1,),
    NodeKind.HOST: (Tier.G2,),
    NodeKind.FLASH: (Tier.G3, Tier.G35, Tier.G4),
    NodeKind.STORE: (Tier.G3, Tier.G35, Tier.G4),
}
"""Kinds that can hold KV blocks, and as which tiers."""
_KEY_OF_KINDS = {
    "kv": (NodeKind.GPU, NodeKind.HOST),
    "usable": (NodeKind.FLASH, NodeKind.STORE),
    "count": (NodeKind.FLASH,),
    "dwpd": (NodeKind.FLASH, NodeKind.STORE),
    "rate": (NodeKind.DPU, NodeKind.NIC),
}
"""Keys that would be passed over in silence on any other kind."""


@dataclass
class Resolved:
    """Nodes and places with their figures, and the assumptions that were needed."""

    nodes: dict[str, Node] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    assumed: dict[tuple[str, str], AssumedFigure] = field(default_factory=dict)


def resolve_nodes(expansion: Expansion) -> Resolved:
    """Give every node its kind and figures, and make places of those that can hold KV blocks.

    Raises:
        InputError: If a node names no device or kind, a key does not fit it, or a figure that a place needs is
            given nowhere.
    """
    result = Resolved()
    by_detail: dict[int, _Figures] = {}  # instances of a template share one detail, and so their figures
    figures: dict[str, _Figures] = {}
    for name, raw in expansion.nodes.items():
        shared = by_detail.get(id(raw.detail))
        if shared is None:
            shared = by_detail[id(raw.detail)] = _Figures(raw, _device_of(raw), result)
        figures[name] = shared
    boxes = _gpu_boxes([raw for name, raw in expansion.nodes.items() if figures[name].kind is NodeKind.GPU], expansion)
    for name, raw in expansion.nodes.items():
        result.nodes[name] = _node(raw, figures[name])
        place = _place(raw, figures[name], result.nodes[name], boxes, expansion.containers)
        if place is not None:
            result.places[name] = place
    return result


@dataclass(frozen=True, slots=True)
class _GpuBoxes:
    """Containers with GPUs directly inside ('' for the file itself), and all containers around GPUs."""

    direct: frozenset[str]
    around: frozenset[str]


def _gpu_boxes(gpus: list[RawNode], expansion: Expansion) -> _GpuBoxes:
    direct = frozenset(raw.container for raw in gpus)
    return _GpuBoxes(direct, frozenset(path for box in direct for path in _paths(box, expansion.containers)))


def _device_of(raw: RawNode) -> Device | None:
    if raw.detail.is_ is not None:
        return catalog_device(raw.detail.is_, raw.at)
    if raw.detail.kind is None:
        raise InputError(f"'{raw.name}' has neither 'is' nor 'kind'", at=raw.at, fix="Name a device: is: rubin.")
    return None


class _Figures:
    """Looks figures up: the file's override, else the catalog's (times the drives), noting assumptions."""

    def __init__(self, raw: RawNode, device: Device | None, result: Resolved) -> None:
        self.raw, self.device, self.result = raw, device, result
        self.found: dict[tuple[str, str | None], Fraction | None] = {}
        self.kind = self._kind()
        self._refuse_foreign_keys()

    def _kind(self) -> NodeKind:
        given, device = self.raw.detail.kind, self.device
        if device is not None and given not in (None, device.kind):
            fix = "Leave out 'kind', or leave out 'is' and give the figures."
            what = f"'{device.name}' is a {device.kind}, not a {given}"
            raise InputError(what, at=self.raw.tree.locate(("kind",)), fix=fix)
        name = device.kind if device is not None else given
        assert name is not None, self.raw.name
        return NodeKind(name)

    def _refuse_foreign_keys(self) -> None:
        for key, kinds in _KEY_OF_KINDS.items():
            if key in self.raw.detail.model_fields_set and self.kind not in kinds:
                allowed = " or ".join(kind.value for kind in kinds)
                what = f"'{key}' has no meaning for a {self.kind.value}"
                raise InputError(what, at=self.raw.tree.locate((key,)), fix=f"Only a {allowed} has it.")

    def maybe(self, key: str, *, override: str | None = None, note: bool = True) -> Fraction | None:
        """The figure, None if nobody gives it; ``note`` False where no plan depends on an assumed value."""
        if (key, override) not in self.found:
            self.found[key, override] = self._look_up(key, override, note=note)
        return self.found[key, override]

    def _look_up(self, key: str, override: str | None, *, note: bool) -> Fraction | None:
        given: Fraction | None = getattr(self.raw.detail, override or key, None)
        if given is not None:
            return Fraction(given)
        figure = self.device.figures.get(key) if self.device else None
        if figure is None or self.device is None:
            return None
        drives = self.raw.detail.count if key in _PER_DRIVE and self.kind is NodeKind.FLASH else 1
        if figure.assumed and note:
            self._note(figure, override or key, drives)
        return Fraction(figure.value) * drives

    def _note(self, figure: Figure, written: str, drives: int) -> None:
        """Remember an assumption once a device, and each line that relies on it."""
        assert self.device is not None, self.raw.name
        each = f" for each of {drives} drives" if drives > 1 else ""
        new = AssumedFigure(self.device.name, figure.key, f"{figure.text()}{each} ({figure.range_text()})")
        known = self.result.assumed.get((self.device.name, figure.key), new)
        of_all = replace(figure, value=Fraction(figure.value) * drives)
        use = AssumedUse(self.raw.at, f"{written}: {of_all.text()}")
        noted = replace(known, uses=tuple(dict.fromkeys((*known.uses, use))))
        self.result.assumed[(self.device.name, figure.key)] = noted

    def need(self, key: str, *, override: str | None = None) -> Fraction:
        """The figure; it is an error if neither the file nor the catalog gives it."""
        found = self.maybe(key, override=override)
        if found is None:
            name = override or key
            what = f"'{self.raw.name}' ({self.raw.detail.is_ or self.raw.detail.kind}) has no {name}"
            raise InputError(what, at=self.raw.at, fix=f"Give it: {{is: ..., {name}: ...}}.")
        return found


def _node(raw: RawNode, figures: _Figures) -> Node:
    kind = figures.kind
    passes = kind in (NodeKind.DPU, NodeKind.NIC)
    ports = figures.maybe("ports", note=False)
    serves = kind in (NodeKind.GPU, NodeKind.HOST, NodeKind.SWITCH)
    return Node(
        name=raw.name,
        kind=kind,
        device=raw.detail.is_ or kind.value,
        container=raw.container,
        at=raw.at,
        idle_w=figures.maybe("idle", note=False) if serves else None,
        full_w=figures.maybe("full", note=False) if serves else None,
        rate=figures.maybe("rate") if passes else None,
        ports=int(ports) if ports is not None else None,
        port_rate=figures.maybe("port_rate", note=False),
        latency=raw.detail.latency or Fraction(0),
        device_at=raw.tree.locate(("is",)),
    )


def _tier(raw: RawNode, kind: NodeKind, boxes: _GpuBoxes) -> Tier | None:
    """As the file says, else by the kind: flash beside a GPU is its local disk, flash elsewhere is shared."""
    allowed = _TIERS.get(kind, ())
    if raw.detail.tier is not None:
        tier = Tier(raw.detail.tier)
        if tier not in allowed:
            fix = f"A {kind.value} is {' or '.join(t.value for t in allowed)}." if allowed else "Leave out 'tier'."
            what = f"a {kind.value} cannot be tier {tier.value}"
            raise InputError(what, at=raw.tree.locate(("tier",)), fix=fix)
        return tier
    if kind is NodeKind.FLASH:
        return Tier.G3 if raw.container in boxes.direct else Tier.G35
    return Tier.G4 if kind is NodeKind.STORE else next(iter(allowed), None)


def _capacity(figures: _Figures, tier: Tier) -> Fraction:
    if tier is Tier.G1:
        return figures.raw.detail.kv or figures.need("hbm", override="kv")
    if tier is Tier.G2:
        return figures.need("kv")
    return figures.need("capacity", override="usable")


def _place(
    raw: RawNode, figures: _Figures, node: Node, boxes: _GpuBoxes, containers: Mapping[str, Container]
) -> Place | None:
    tier = _tier(raw, node.kind, boxes)
    if tier is None:
        return None
    powered = tier in _POWERED
    return Place(
        node=raw.name,
        tier=tier,
        capacity=_capacity(figures, tier),
        read=figures.maybe("hbm_rate" if tier is Tier.G1 else "read", override="read"),
        write=figures.maybe("write"),
        first_byte=figures.maybe("first_byte") or Fraction(0),
        idle_w=(figures.need("idle") if powered else Fraction(0)),
        full_w=(figures.need("full") if powered else Fraction(0)),
        dwpd=figures.maybe("dwpd") if powered else None,
        warranty=figures.maybe("warranty", note=False) if powered else None,
        scope=_scope(raw, tier, containers),
        unit=_unit(raw, tier, boxes, containers),
        at=raw.at,
        key_at=dict(raw.tree.keys_at),
        drives=raw.detail.count,
    )


def _scope(raw: RawNode, tier: Tier, containers: Mapping[str, Container]) -> str | None:
    """A GPU's and a tray's own memory and disks serve the GPUs of that box unless ``shared_by`` says otherwise."""
    wanted = raw.detail.shared_by
    if wanted == "all":
        return None
    if wanted is not None:
        return _around(raw, wanted, containers)
    return raw.container if tier in (Tier.G1, Tier.G2, Tier.G3) else None


def _around(raw: RawNode, template: str, containers: Mapping[str, Container]) -> str:
    path = raw.container
    while path:
        if containers[path].template == template:
            return path
        path = containers[path].parent
    near = sorted({containers[p].template for p in _paths(raw.container, containers)} | {"all"})
    at: Location = raw.tree.locate(("shared_by",))
    raise InputError(f"'{raw.name}' lies in no '{template}'", at=at, fix=did_you_mean(template, near))


def _paths(path: str, containers: Mapping[str, Container]) -> list[str]:
    found = []
    while path:
        found.append(path)
        path = containers[path].parent
    return found


def _unit(raw: RawNode, tier: Tier, boxes: _GpuBoxes, containers: Mapping[str, Container]) -> str:
    """Enclosures are switched on and fail whole; what stands among GPUs, or a tray's own disk, alone."""
    whole = tier in (Tier.G35, Tier.G4) and raw.container in containers and raw.container not in boxes.around
    return raw.container if whole else raw.name
