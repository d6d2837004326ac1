"""Every rule has a cluster that it accepts and one edit of it that breaks the rule."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from rules_cluster import (
    BY_ARTICLE,
    CMX_LINK,
    FLASH,
    SPINE,
    SSD,
    TRAY_DPU,
    TRAY_LINK,
    Edit,
    findings,
    of_rule,
)

from cmxverify.topology.rules.registry import RULES, rules_of
from cmxverify.topology.rules.rule import Rule
from cmxverify.topology.rules.subject import Profile


@dataclass(frozen=True)
class Breach:
    """Edits that break a rule, and what it must say; the line is that of the edited text."""

    rule: str
    profile: str
    word: str
    text: str
    line: int
    edits: tuple[Edit, ...]


# fmt: off
BREACHES = (
    Breach("TP-1", "published", "warning", "qm9700 is not known to be a Spectrum-X switch", 24,
           (("leaf[0-1]: sn5610", "leaf[0-1]: qm9700"),)),
    Breach("TP-1", "article", "error", "switch is not known to be a Spectrum-X switch", 24,
           (("leaf[0-1]: sn5610", "leaf[0-1]: {kind: switch}"),)),
    Breach("TP-2", "article", "error", "bluefield-4 is 800 Gb/s; the article says 400", 11, ()),
    Breach("TP-2", "published", "error", "bluefield-4-article is 400 Gb/s; NVIDIA publishes 800 for BlueField-4", 11,
           ((TRAY_DPU, "dpu: bluefield-4-article\n"),)),
    Breach("TP-3", "article", "error", "enclosure has 8 cables of 400 Gb/s; the article asks 2 to 4 of 400 Gb/s", 25,
           ((CMX_LINK, "cmx[0-1].dpu[0-1] -- leaf[0-1]: {rate: 400 Gb/s, count: 2}"),)),
    Breach("TP-3", "article", "error", "enclosure has 4 cables of 200 Gb/s; the article asks 2 to 4 of 400 Gb/s", 25,
           ((CMX_LINK, "cmx[0-1].dpu[0-1] -- leaf[0-1]: 200 Gb/s"),)),
    Breach("TP-4", "article", "error", "solidigm-d5-p5336 is QLC; the article says TLC", 19,
           ((FLASH, "flash: {is: solidigm-d5-p5336, count: 10, usable: 300 TB}"),)),
    Breach("TP-4", "published", "warning", "solidigm-d5-p5336 is QLC; CMX is described with TLC", 19,
           ((FLASH, "flash: {is: solidigm-d5-p5336, count: 10, usable: 300 TB}"),)),
    Breach("TP-5", "article", "warning",
           "farthest place: 3 switches, 2 switch links, 4 links; 2 hops hold in switch links only", 0, SPINE),
    Breach("TP-6", "article", "error", "Dynamo 1.5; the article asks 2.0 or later", 4, ()),
    Breach("TP-6", "published", "error", "Dynamo 2.0 is not published; releases go from 0.7 to 1.6", 4,
           (('dynamo: "1.5"', 'dynamo: "2.0"'),)),
    Breach("TP-7", "published", "warning", "nixl: none; CMX is reached through NIXL", 4,
           (('nixl: "1.4"', "nixl: none"),)),
    Breach("TP-8", "published", "error", "DOCA 2.5; DOCA Memos needs 4.4 or later", 4,
           (('doca: "4.4"', 'doca: "2.5"'),)),
    Breach("TP-8", "article", "error", "DOCA 2.2; the article asks 2.5 or later", 4,
           (('doca: "4.4"', 'doca: "2.2"'),)),
    Breach("TP-9", "published", "warning",
           "enclosure draws 15 W/TB; drives and DPUs of a 600 TB box add up to 1.5 to 2.5", 19,
           ((FLASH, FLASH[:-1] + ", full: 4.5 kW}"),)),
    Breach("TP-9", "published", "warning", "first byte after 10 us; reading NAND alone takes about 50 us", 19,
           ((FLASH, FLASH[:-1] + ", first_byte: 10 us}"),)),
    Breach("TP-9", "article", "warning", "first byte after 1 ms; the article says of the order of 100 us", 19,
           ((FLASH, FLASH[:-1] + ", first_byte: 1 ms}"),)),
    Breach("TP-9", "article", "warning", "enclosure draws 20 W/TB; the article says 15 W/TB", 19,
           ((FLASH, FLASH[:-1] + ", full: 6 kW}"),)),
    Breach("TP-9", "article", "warning", "enclosure delivers 20 GB/s; the article says of the order of 100 GB/s", 19,
           ((FLASH, FLASH[:-1] + ", read: 20 GB/s}"),)),
    Breach("TP-10", "article", "error", "sn5610 adds 2 us; the article says below 1 us", 24,
           (("leaf[0-1]: sn5610", "leaf[0-1]: {is: sn5610, latency: 2 us}"),)),
    Breach("TP-11", "published", "error", "GPUs reach CMX without a BlueField-3 or newer in their server", 8,
           ((TRAY_DPU, "dpu: connectx-8\n"),)),
    Breach("TP-11", "published", "error", "enclosure joins the fabric without a BlueField-3 or newer of its own", 19,
           (("dpu[0-1]: bluefield-4\n", "dpu[0-1]: connectx-8\n"),)),
    Breach("TP-11", "published", "error", "GPUs reach CMX past their host, but DOCA Memos moves host memory only", 8,
           (("host -- dpu: 128 GB/s", "host -- dpu: 128 GB/s\n      gpu[0-3] -- dpu: 64 GB/s"),)),
    Breach("TP-12", "published", "error", "usable is 310 TB, but 10 x tlc-gen6-30tb has 10 x 30.72 TB", 19,
           (("usable: 300 TB", "usable: 310 TB"),)),
    Breach("TP-12", "published", "error", "kv is 4 TB, but vera-x2 has 3 TB", 9, (("kv: 1.5 TB", "kv: 4 TB"),)),
    Breach("TP-12", "published", "error", "kv is 300 GB, but rubin has 288 GB", 8,
           (("gpu[0-3]: rubin", "gpu[0-3]: {is: rubin, kv: 300 GB}"),)),
    Breach("TP-13", "published", "error",
           "bluefield-4 has 2 ports of 400 Gb/s; its cables, 4 of 400 Gb/s, need 4", 11,
           ((TRAY_LINK, "tray[0-1].dpu -- leaf[0-1]: {rate: 400 Gb/s, count: 2}"),)),
    Breach("TP-13", "published", "error",
           "sn5610 has 2 ports of 800 Gb/s; its cables, 6 of 400 Gb/s, need 3", 24,
           (("leaf[0-1]: sn5610", "leaf[0-1]: {is: sn5610, ports: 2}"),)),
    Breach("TP-14", "published", "error", "a link of 800 Gb/s ends at bluefield-4, which does 400 Gb/s", 27,
           ((TRAY_LINK, "tray[0-1].dpu -- leaf[0-1]: 800 Gb/s"),)),
    Breach("TP-14", "published", "error", "a link of 256 GB/s ends at bluefield-4, which does 128 GB/s", 15,
           (("host -- dpu: 128 GB/s", "host -- dpu: 256 GB/s"),)),
    Breach("TP-14", "published", "error", "a link of 900 GB/s ends at rubin, which does 450 GB/s", 13,
           (("gpu[0-3] -- host: 450 GB/s", "gpu[0-3] -- host: 900 GB/s"),)),
    Breach("TP-15", "published", "hint", "a cable of 200 Gb/s joins ports of 400 Gb/s and 800 Gb/s", 27,
           ((TRAY_LINK, "tray[0-1].dpu -- leaf[0-1]: 200 Gb/s"),)),
    Breach("TP-16", "published", "warning",
           "bluefield-4 passes 800 Gb/s of the 1,600 Gb/s that its cables carry", 11,
           ((TRAY_DPU, "dpu: {is: bluefield-4, ports: 4}\n"),
            (TRAY_LINK, "tray[0-1].dpu -- leaf[0-1]: {rate: 400 Gb/s, count: 2}"))),
    Breach("TP-16", "published", "hint", "the host takes 64 GB/s of the 100 GB/s that bluefield-4 passes", 15,
           (("host -- dpu: 128 GB/s", "host -- dpu: 64 GB/s"),)),
    Breach("TP-17", "published", "hint", "media of enclosure read 280 GB/s, its network carries 20 GB/s", 19,
           (("dpu[0-1] -- flash: 128 GB/s", "dpu[0-1] -- flash: 10 GB/s"),)),
    Breach("TP-18", "published", "warning", "0.5 DWPD on 300 TB endures 1.74 GB/s of writes", 19,
           ((FLASH, FLASH[:-1] + ", dwpd: 0.5 DWPD}"),)),
    Breach("TP-18", "published", "hint", "no endurance is given, so no plan limits the writes", 10,
           ((SSD, "ssd: {kind: flash, usable: 25.6 TB, read: 28 GB/s, idle: 20 W, full: 100 W}"),)),
    Breach("TP-19", "published", "warning", "optane-p5800x is discontinued", 10,
           ((SSD, "ssd: {is: optane-p5800x, count: 4, usable: 12.8 TB}"),)),
    Breach("TP-20", "published", "warning", "G2 host of vera-x2 is read by GPUs of 2 boxes", 9,
           (("kv: 1.5 TB", "kv: 1.5 TB, shared_by: all"),)),
    Breach("TP-21", "published", "warning", "sn5610 is the only way between some GPUs and a shared place", 24,
           ((TRAY_LINK, "tray[0-1].dpu -- leaf0: 400 Gb/s"),)),
    Breach("TP-22", "published", "hint", "acme/chat asks 2 copies that may fail together", 32,
           (("tp: 4,", "tp: 4, copies: 2,"),)),
    Breach("TP-22", "published", "hint", "a shared place in no template has no failure domain", 26,
           (("cmx[0-1]: enclosure", "cmx[0-1]: enclosure\n  nas: {is: shared-store}"),
            (CMX_LINK, CMX_LINK + "\n  nas -- leaf[0-1]: 400 Gb/s"))),
    Breach("TP-23", "published", "error",
           "budget 'shelf' is 1 kW, but its GPUs, hosts and switches draw 1.8 kW already", 30,
           (('of: "cmx[0-1]"', 'of: "cmx[0-1], leaf[0-1]"'),)),
    Breach("TP-23", "published", "hint", "budget 'shelf' is 2 kW; all of it at full power draws 1.1 kW", 30,
           (("budget: 1 kW", "budget: 2 kW"),)),
    Breach("TP-24", "published", "hint", "plan_to is 100 %: queues then grow without end", 3,
           (("plan_to: 80%", "plan_to: 100%"),)),
    Breach("TP-24", "published", "hint", "plan_to is 95 %: a request then waits 19 times its own transfer", 3,
           (("plan_to: 80%", "plan_to: 95%"),)),
    Breach("TP-25", "published", "hint", "acme/chat has a context of 128,000", 32,
           (("context: 25k", "context: 128k"),)),
    Breach("TP-26", "published", "warning", "a switch (sn5610) has no link", 25,
           (("leaf[0-1]: sn5610", "leaf[0-1]: sn5610\n  spare: sn5610"),)),
    Breach("TP-27", "published", "hint", "template 'spare' is used nowhere", 22,
           (("nodes:\n  tray[0-1]", "  spare:\n    nodes: {gpu: rubin}\nnodes:\n  tray[0-1]"),)),
)
# fmt: on


@pytest.mark.parametrize(
    "breach", BREACHES, ids=lambda breach: f"{breach.rule}-{breach.profile}-{breach.text[:30]}"
)
def test_an_edit_breaks_the_rule(breach: Breach, tmp_path: Path) -> None:
    """The rule speaks with its severity, its sentence and the line of the cause, and says how to fix it."""
    found = of_rule(breach.rule, findings(tmp_path, breach.profile, *breach.edits))

    assert (breach.word, breach.text) in [(each.word, each.text) for each in found]
    first = next(each for each in found if each.text == breach.text)
    assert (first.at.line, bool(first.fix)) == (breach.line, True)


def test_every_rule_has_a_breach() -> None:
    """No rule is without a cluster that breaks it."""
    assert {breach.rule for breach in BREACHES} == {rule.id for rule in RULES}


@pytest.mark.parametrize("rule", rules_of(Profile.PUBLISHED), ids=lambda rule: rule.id)
def test_a_published_cluster_passes(rule: Rule, tmp_path: Path) -> None:
    """The good cluster breaks no rule of 'published', not even by a hint."""
    assert of_rule(rule.id, findings(tmp_path, "published")) == []


@pytest.mark.parametrize("rule", rules_of(Profile.ARTICLE), ids=lambda rule: rule.id)
def test_a_cluster_by_the_article_passes(rule: Rule, tmp_path: Path) -> None:
    """The same cluster with the article's figures breaks no rule of 'article'."""
    assert of_rule(rule.id, findings(tmp_path, "article", *BY_ARTICLE)) == []
