"""What the rules look at: a topology under one profile, and views of it that several rules share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from cmxverify.catalog.devices import Device, devices
from cmxverify.errors import Location
from cmxverify.topology.model import Link, Node, NodeKind, Place, Tier, Topology
from cmxverify.topology.routes import Router

_CARDS = (NodeKind.DPU, NodeKind.NIC)


class Profile(StrEnum):
    """Whose word a topology is held against."""

    ARTICLE = "article"
    """The statements A1 to A32 of the article, as they stand."""
    PUBLISHED = "published"
    """What vendors' documents and other public texts say."""


@dataclass(frozen=True)
class Subject:
    """A topology to judge; not slotted, since the views are computed once and kept."""

    topology: Topology
    profile: Profile

    @property
    def file(self) -> Location:
        """The whole file, for what has no line of its own."""
        return Location(self.topology.file)

    @property
    def by_article(self) -> bool:
        """Whether the article's statements are the measure."""
        return self.profile is Profile.ARTICLE

    @cached_property
    def router(self) -> Router:
        """Routes of the topology."""
        return Router(self.topology)

    @cached_property
    def gpus(self) -> tuple[str, ...]:
        """Names of all GPUs."""
        return tuple(node.name for node in self.of_kind(NodeKind.GPU))

    @cached_property
    def gpu_boxes(self) -> tuple[str, ...]:
        """Innermost containers that hold GPUs; '' for GPUs in none."""
        return tuple(dict.fromkeys(self.topology.nodes[gpu].container for gpu in self.gpus))

    @cached_property
    def cmx(self) -> tuple[Place, ...]:
        """Places of tier G3.5: without any, the rules about CMX have nothing to say."""
        return self._of_tiers(Tier.G35)

    @cached_property
    def shared(self) -> tuple[Place, ...]:
        """Places of tiers G3.5 and G4."""
        return self._of_tiers(Tier.G35, Tier.G4)

    @cached_property
    def cables_at(self) -> Mapping[str, list[Link]]:
        """Network cables by node: those with a switch at an end, or between two cards."""
        return {
            name: [link for link in links if self.is_network(link)] for name, links in self.links_at.items()
        }

    @cached_property
    def links_at(self) -> Mapping[str, list[Link]]:
        """All links by node."""
        found: dict[str, list[Link]] = defaultdict(list)
        for link in self.topology.links:
            found[link.a].append(link)
            found[link.b].append(link)
        return found

    def of_kind(self, *kinds: NodeKind) -> tuple[Node, ...]:
        """Nodes of these kinds, in file order."""
        return tuple(node for node in self.topology.nodes.values() if node.kind in kinds)

    def device(self, node: str) -> Device | None:
        """Catalog entry of a node, None for a device that the file makes up."""
        return _CATALOG.get(self.topology.nodes[node].device)

    def figure(self, node: str, key: str) -> Fraction | None:
        """A figure of the node's catalog entry, None if nobody gives it."""
        device = self.device(node)
        figure = device.figures.get(key) if device else None
        return Fraction(figure.value) if figure else None

    def box(self, place: Place) -> str:
        """What a place is bought as: the template instance around it, or the node itself."""
        return self.topology.nodes[place.node].container or place.node

    def box_title(self, place: Place) -> str:
        """The template's name, or the device's where there is no template."""
        container = self.topology.containers.get(self.box(place))
        return container.template if container else self.topology.nodes[place.node].device

    def box_at(self, place: Place) -> Location:
        """Line that puts the box into the cluster."""
        container = self.topology.containers.get(self.box(place))
        return container.at if container else place.at

    def readers(self, place: Place) -> tuple[str, ...]:
        """GPUs that may and can read a place."""
        return tuple(gpu for gpu in self.gpus if self.router.reaches(place.node, gpu))

    def is_network(self, link: Link) -> bool:
        """Whether a link is a network cable, not PCIe or C2C inside a box."""
        kinds = [self.topology.nodes[end].kind for end in (link.a, link.b)]
        return NodeKind.SWITCH in kinds or all(kind in _CARDS for kind in kinds)

    def _of_tiers(self, *tiers: Tier) -> tuple[Place, ...]:
        return tuple(place for place in self.topology.places.values() if place.tier in tiers)


_CATALOG: Mapping[str, Device] = {each.name: each for each in devices()}


def in_bits(rate: Fraction) -> str:
    """A network rate as people write it: ``400 Gb/s``."""
    return f"{float(rate * 8 / 10**9):,.10g} Gb/s"


def plural(count: int, word: str) -> str:
    """``1 switch``, ``2 switches``, ``0 links``."""
    ending = "es" if word.endswith(("ch", "x")) else "s"
    return f"{count:,} {word}{ending if count != 1 else ''}"
