"""bars.py: plain bar charts as SVG, readable on light and dark pages, without any library."""
from html import escape

COLOURS = [("#1b6ca8", "#6fb7ea"), ("#c8641b", "#f0a36b"), ("#2f855a", "#7fd0a3"), ("#8a4fa3", "#c99be0"),
           ("#8a8a2b", "#cfcf6b"), ("#a33b53", "#ea8aa0")]  # on light, on dark
WIDTH, LEFT, RIGHT, ROW, HEAD = 760, 190, 60, 20, 46


def style():
    light = "".join(f".c{i}{{fill:{a}}}" for i, (a, _) in enumerate(COLOURS))
    dark = "".join(f".c{i}{{fill:{b}}}" for i, (_, b) in enumerate(COLOURS))
    return ("<style>text{font:13px sans-serif;fill:#222}.t{font-size:15px;font-weight:bold}.n{font-size:11px}"
            ".w{stroke:#222}.g{stroke:#bbb}.f{stroke:#888;stroke-dasharray:4 3}.p{fill:#fff}" + light +
            "@media (prefers-color-scheme:dark){text{fill:#ddd}.w{stroke:#ddd}.g{stroke:#444}.p{fill:#14181c}" + dark +
            "}</style>")


def ceiling(value):
    """A round number that is at least the value."""
    for scale in (1, 2, 5, 10, 20, 25, 40, 50, 60, 80, 100):
        if value <= scale:
            return scale
    return 10 * -(-value // 10)


def bars(path, title, rows, series=None, fair=None, unit=" %"):
    """Writes a chart. A row is (label, [bars]), a bar (value, low, high) or None; bars of a row are in the
    order of `series`, the names of the colours. `fair` draws a line at that value, or for each row its own."""
    tallest = max((bar[2] for _, group in rows for bar in group if bar), default=1)
    top = ceiling(tallest)
    thick = ROW if not series else max(9, ROW - 2 * len(series))
    heights = [thick * len(group) + 8 for _, group in rows]
    head = HEAD + (20 if series else 0)
    height = head + sum(heights) + 26

    def at(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * value / top
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">',
           style(), f'<rect class="p" width="{WIDTH}" height="{height}"/>', f'<text class="t" x="12" y="24">{escape(title)}</text>']
    x = 12
    for i, name in enumerate(series or []):
        out.append(f'<rect class="c{i}" x="{x}" y="38" width="12" height="12"/><text x="{x + 17}" y="49">{escape(name)}</text>')
        x += 34 + 8 * len(name)
    bottom = head + sum(heights)
    for i in range(5):
        tick = top * i / 4
        out.append(f'<path class="g" d="M{at(tick):.1f} {head}V{bottom}"/>'
                   f'<text class="n" x="{at(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{tick:g}{unit}</text>')
    y = head
    for (label, group), tall in zip(rows, heights):
        out.append(f'<text x="{LEFT - 8}" y="{y + tall / 2 + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        for i, bar in enumerate(group):
            if bar is None:
                continue
            value, low, high = bar
            top_y, middle = y + 4 + i * thick, y + 4 + i * thick + (thick - 2) / 2
            out.append(f'<rect class="c{i if series else 0}" x="{LEFT}" y="{top_y}" width="{max(1, at(value) - LEFT):.1f}" height="{thick - 2}"/>'
                       f'<path class="w" d="M{at(low):.1f} {middle:.1f}H{at(high):.1f}"/>'
                       f'<text class="n" x="{at(high) + 5:.1f}" y="{middle + 4:.1f}">{value:.3g}</text>')
        line = fair.get(label) if isinstance(fair, dict) else fair
        if line is not None:
            out.append(f'<path class="f" d="M{at(line):.1f} {y}V{y + tall}"/>')
        y += tall
    out.append("</svg>\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(out), encoding="utf-8")
