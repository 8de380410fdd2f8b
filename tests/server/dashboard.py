#!/usr/bin/env python3
"""dashboard.py: tools/grafana.json uses exactly the metrics that a server has."""
import json
import re

import client
from client import case, expect, tap
from tap import equal

DASHBOARD = json.loads((tap.ROOT / "tools/grafana.json").read_text(encoding="utf-8"))


async def told():
    """Names of metrics with their types, as a server tells them."""
    server = client.Server(tap.program())
    try:
        text = (await client.ask(server, "GET", "/metrics")).body.decode()
        await server.stop()
    finally:
        await server.close()
    return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))


def asked():
    """(name, the expression that it stands in)."""
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            for name in re.findall(r"\bfathom_\w+", target["expr"]):
                yield name, target["expr"]


@case("the dashboard asks for metrics that exist, and as what they are")
async def exist():
    types = await told()
    for name, expression in asked():
        plain = re.sub("_bucket$", "", name)
        expect(plain in types, f"{name}: there is no such metric")
        equal(name != plain, types[plain] == "histogram", f"{name}, a {types[plain]}: buckets")
        equal("rate(" in expression, types[plain] != "gauge", f"{name}, a {types[plain]}: a rate")


@case("no metric is forgotten")
async def whole():
    equal({re.sub("_bucket$", "", name) for name, _ in asked()}, set(await told()), "metrics")


@tap.case("panels do not overlap")
def laid_out():
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in DASHBOARD["panels"]]
    equal(len(set(places)), len(places), "places")
    equal(len({p["id"] for p in DASHBOARD["panels"]}), len(places), "ids")


if __name__ == "__main__":
    tap.main()
