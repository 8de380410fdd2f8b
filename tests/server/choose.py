"""choose.py: picks a random legal action from a view, in any game."""


def choose(view, rng):
    """A random legal action, whole; None if this seat rather waits. See `legal` on the games' pages."""
    legal = view["legal"]
    if not legal:
        return None
    if view["game"] == "dive":
        return choose_dive(view, rng)
    if view["game"] == "divercity":
        return choose_divercity(view, rng)
    return rng.choice(legal)


def choose_dive(view, rng):
    verbs = {}
    for action in view["legal"]:
        verbs.setdefault(action["do"], []).append(action)
    weights = {"choose": 9, "axolotl": 9, "program": 2, "ready": 5, "use": 1, "breathe": 1, "unready": 0.2}
    if "program" in verbs and "ready" not in verbs:
        weights["program"] = 9
    waiting = "unready" in verbs or not set(verbs) - {"use"}
    verb, = rng.choices([*verbs, "wait"], [*(weights[v] for v in verbs), 6 if waiting else 0])
    if verb == "wait":
        return None
    action = dict(rng.choice(verbs[verb]))
    if verb == "program":
        action.update(random_program(view, rng))
    if action.get("companion") == "octopus" and verb == "use":
        action.update(x=round(rng.random(), 4), y=round(rng.random(), 4))
    return action


def random_program(view, rng):
    if view["children"]:
        return {"levels": [{"shark": rng.random() < 0.5} for _ in range(5)]}
    tokens, depth = rng.sample(range(1, 6), 5), rng.randint(1, 5)
    levels = [{"tokens": [tokens[i]], "shark": rng.random() < 0.5} for i in range(depth)]
    for token in tokens[depth:]:
        if rng.random() < 0.3:
            rng.choice(levels)["tokens"].append(token)
    program = {"levels": levels}
    companion = view["companions"] and view["companions"][view["seat"]]
    if companion == "clownfish" and rng.random() < 0.4:
        program["clownfish"] = rng.randint(1, depth)
    if companion == "anglerfish" and depth == 5 and rng.random() < 0.6:
        program["anglerfish"] = {"shark": rng.random() < 0.5}
    return program


def choose_divercity(view, rng):
    own = view["claims"][view["seat"]] if view["seat"] < len(view["claims"]) else []
    only_signs = view["rules"] >= 2 and view.get("signs") is not None
    if own and not only_signs and rng.random() < 0.05:
        return {"do": "claim", "card": rng.randrange(len(own)), "species": rng.choice([None, *view["ladder"]])}
    action = dict(rng.choice(view["legal"]))
    if action["do"] == "walkie" or action.get("use") == "communications":
        if view.get("signs") is not None:
            action["signs"] = [rng.sample(range(16), rng.randint(1, 3)) for _ in view["hands"][action["target"]]]
    elif action["do"] == "reorder":
        places = range(len(view["looked_at"]))
        action["order"] = rng.sample(places, len(places))
    elif action["do"] == "strike":
        places = range(len(view["looked_at"]))
        action["cards"] = rng.sample(places, min(2, len(places)))
    return action
