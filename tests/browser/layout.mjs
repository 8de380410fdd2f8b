// layout.mjs: looks at a page as its window is now, and says what a person would stumble over: controls or texts that
// overlap, text that its box cuts, words that break without a hyphen, targets under 44 px, and what must be reached but is off the screen. `sweep` pulls one
// window through many sizes; a new size costs a layout, not a load.
import { equal, inFirefox } from './harness.mjs';

/** Telling windows, from the smallest phone to a TV: upright, on its side, at 200 % zoom, a laptop with its browser's bars. */
const all = [
  [320, 568],
  [360, 640],
  [390, 844],
  [640, 360],
  [683, 384],
  [844, 390],
  [820, 1180],
  [1024, 768],
  [1280, 400],
  [1366, 620],
  [1366, 768],
  [1920, 1080],
];

/** Firefox sets the same boxes a little otherwise, and has scrollbars: every second window tells where that matters. */
export const windows = inFirefox ? all.filter((_, i) => i % 2 === 0 || i === all.length - 1) : all;

/** The least side of a target, in CSS pixels (DESIGN: 44 × 44). */
const TARGET = 44;

/* Runs in the page. Answers a sentence for each fault. */
function look({ TARGET, small, still }) {
  const faults = new Set();
  /* Figures of the chart behind the page: whatever lies on them, nobody reads them. */
  const DECORATION = '.soundings';
  const root = document.documentElement;
  const room = { left: 0, top: 0, right: root.clientWidth, bottom: root.clientHeight };
  /** The same function, which asks the browser once for each element: most are ancestors of many. */
  const once = (ask) => {
    const known = new Map();
    return (e) => {
      if (!known.has(e)) known.set(e, ask(e));
      return known.get(e);
    };
  };
  const style = once((e) => getComputedStyle(e));
  const parent = (e) => e.parentElement ?? null;
  const px = (n) => Math.round(n * 10) / 10;

  const named = (e) => {
    const kind = e.localName + [...e.classList].filter((c) => !c.startsWith('svelte-')).map((c) => `.${c}`).join('');
    const said = (e.getAttribute('aria-label') ?? e.textContent ?? '').replace(/\s+/g, ' ').trim();
    return said === '' ? kind : `${kind} “${said.slice(0, 32)}”`;
  };
  /** The root is transparent in tests (drawNothing in harness.mjs); nothing else may be. */
  const opaque = once((e) => e === null || e === root || (style(e).opacity !== '0' && opaque(parent(e))));
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && opaque(e);
  /** What only screen readers get is a pixel large, or clipped away. */
  const forEars = once((e) => e !== null && (style(e).clipPath === 'inset(50%)' || (e.offsetWidth === 1 && e.offsetHeight === 1) || forEars(parent(e))));

  /* Layers lie over the page on purpose: what is in one is compared with the same one only, and below a modal one nothing
     counts. A bar that sticks or is fixed is one, too: the page scrolls below it. */
  const LAYERS = 'dialog, .drawer, .toast, [popover], [data-layer]';
  const layer = once((e) => (e === null || e.matches(LAYERS) || /^(fixed|sticky)$/.test(style(e).position) ? e : layer(parent(e))));
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const within = modal ?? document.body;

  /* ---- what there is ---- */

  const TARGETS = 'button, a[href], input, select, textarea, summary, [role=button], [role=radio], [role=switch], [role=tab], [role=slider], [role=option], [role=menuitem]';
  const targets = [];
  for (const e of within.querySelectorAll(TARGETS)) {
    if (e.closest('[inert]') || !seen(e) || forEars(e)) continue;
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const box = { left, right, top, bottom };
    if (right > left && bottom > top) targets.push({ e, box, layer: layer(e) });
  }

  /** Lines of text, without the air above and below their letters. */
  const texts = [];
  const range = document.createRange();
  const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const e = node.parentElement;
    if (node.data.trim() === '' || e.closest(`script, style, noscript, option, ${DECORATION}`) || !seen(e) || forEars(e)) continue;
    const size = parseFloat(style(e).fontSize);
    if (size === 0) continue;
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      if (r.width < 1) continue;
      const middle = (r.top + r.bottom) / 2;
      texts.push({ e, node, layer: layer(e), box: { left: r.left + 0.5, right: r.right - 0.5, top: middle - size * 0.32, bottom: middle + size * 0.32 } });
    }
  }

  /* ---- words that break where there is no hyphen ---- */

  const WORDS = /(?<![\p{L}\p{N}\u00ad])\p{L}{3,}(?![\p{L}\p{N}\u00ad])/gu;
  const lines = new Map();
  for (const { node, box } of texts) lines.set(node, (lines.get(node) ?? new Set()).add(Math.round(box.top)));
  for (const [node, tops] of lines) {
    if (tops.size < 2 || node.parentElement.closest('code')) continue;
    for (const { 0: word, index } of node.data.matchAll(WORDS)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) faults.add(`broken: “${word}” in ${named(node.parentElement)}`);
    }
  }

  /* ---- what is cut, and what cannot be reached ---- */

  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const hides = (value) => value === 'hidden' || value === 'clip';
  const inner = once((e) => {
    const b = e.getBoundingClientRect();
    const left = b.left + e.clientLeft;
    const top = b.top + e.clientTop;
    return { left, top, right: left + e.clientWidth, bottom: top + e.clientHeight };
  });
  /** What an ancestor does to what is in it; a style is read once, which is slow. */
  const holder = once((e) => {
    const { position, transform, containerType, contain, display, overflowX, overflowY } = style(e);
    const turned = transform !== 'none';
    const holds = position !== 'static' || turned || containerType !== 'normal' || contain !== 'none';
    const cuts = display !== 'inline' && display !== 'contents' && (overflowX !== 'visible' || overflowY !== 'visible');
    return { position, turned, holds, cuts, overflowX, overflowY };
  });
  /** The ancestors that can cut or scroll this one: up to the window, past those that a positioned box leaves. */
  function* holders({ e, node }) {
    let out = node ? 'static' : style(e).position; // a text may be cut by its own element
    for (let a = node ? e : parent(e); a && a !== document.body && a !== root; a = parent(a)) {
      const s = holder(a);
      if (out === 'fixed' && !s.turned) continue;
      if (out === 'absolute' && !s.holds) continue;
      if (s.cuts) yield [a, s];
      out = s.position;
    }
  }
  const fixed = once((e) => (e === null ? modal !== undefined : style(e).position === 'fixed' || fixed(parent(e))));

  /**
   * Where a box ends up in the window, cut by what cuts it. Says what hides a part of it for good; what a scroller can
   * bring into sight is hidden for now only, and then there is no box.
   */
  function place(item, tolerance) {
    const box = { ...item.box };
    const now = { ...item.box };
    let lost = null;
    for (const [a, s] of holders(item)) {
      const b = inner(a);
      for (const [axis, low, high, overflow, start] of [
        ['x', 'left', 'right', s.overflowX, a.scrollLeft],
        ['y', 'top', 'bottom', s.overflowY, a.scrollTop],
      ]) {
        if (overflow === 'visible') continue;
        if (hides(overflow) && (box[low] < b[low] - tolerance || box[high] > b[high] + tolerance))
          lost ??= { by: a, axis, much: Math.max(b[low] - box[low], box[high] - b[high]) };
        if (scrolls(overflow)) {
          if (box[low] + start < b[low] - tolerance) lost ??= { by: a, axis, much: b[low] - box[low] - start };
          const size = Math.min(box[high] - box[low], b[high] - b[low]);
          box[low] = Math.min(Math.max(box[low], b[low]), b[high] - size);
          box[high] = box[low] + size;
        }
        now[low] = Math.max(now[low], b[low]);
        now[high] = Math.min(now[high], b[high]);
      }
    }
    const stuck = fixed(item.e);
    if (box.left < -tolerance || box.right > room.right + tolerance) lost ??= { by: root, axis: 'x', much: Math.max(-box.left, box.right - room.right) };
    const down = stuck || hides(style(root).overflowY) || hides(style(document.body).overflowY);
    const top = down ? box.top : box.top + scrollY;
    if (top < -tolerance || (down && box.bottom > room.bottom + tolerance)) lost ??= { by: root, axis: 'y', much: Math.max(-top, down ? box.bottom - room.bottom : 0) };
    for (const side of ['left', 'top']) now[side] = Math.max(now[side], room[side]);
    for (const side of ['right', 'bottom']) now[side] = Math.min(now[side], room[side]);
    item.now = now.right - now.left > 1 && now.bottom - now.top > 1 ? now : null;
    return lost;
  }
  for (const item of targets) {
    const lost = place(item, 2);
    if (!lost) continue;
    faults.add(`off the screen: ${named(item.e)} by ${px(lost.much)} px, hidden by ${lost.by === root ? 'the window' : named(lost.by)}`);
  }
  for (const item of texts) {
    const lost = place(item, 2);
    if (!lost) continue;
    faults.add(`cut: ${named(item.e)} by ${px(lost.much)} px (${lost.axis}), by ${lost.by === root ? 'the window' : named(lost.by)}`);
  }
  for (const e of document.querySelectorAll(still || ':not(*)')) {
    const slack = e === root ? 0 : 1; // a window that scrolls by a pixel has a scrollbar
    if (e.scrollHeight > e.clientHeight + slack || e.scrollWidth > e.clientWidth + slack)
      faults.add(`scrolls: ${e.localName}.${e.classList[0]} holds ${e.scrollWidth} × ${e.scrollHeight} in ${e.clientWidth} × ${e.clientHeight}`);
  }

  /* ---- what lies on what ---- */

  const meet = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const related = (a, b) => a === b || a.contains(b) || b.contains(a);
  /** A label and its control are one. */
  const labelled = (a, b) => [...(a.labels ?? [])].some((l) => related(l, b)) || [...(b.labels ?? [])].some((l) => related(l, a));
  const all = [...targets.map((t) => ({ ...t, kind: 'target' })), ...texts.map((t) => ({ ...t, kind: 'text' }))].filter((i) => i.now);
  all.sort((a, b) => a.now.top - b.now.top);
  for (const [i, a] of all.entries())
    for (let j = i + 1; j < all.length && all[j].now.top < a.now.bottom; j++) {
      const b = all[j];
      if (a.layer !== b.layer || meet(a.now, b.now) <= 1.5) continue;
      if (a.kind === 'text' && b.kind === 'text' ? a.node === b.node : related(a.e, b.e)) continue;
      if (labelled(a.e, b.e)) continue;
      faults.add(`overlap: ${named(a.e)} and ${named(b.e)} by ${px(meet(a.now, b.now))} px`);
    }

  /** Whether something of the same layer is painted over this point of an element. */
  const paints = (e) => {
    const s = style(e);
    return /^(img|svg|canvas|video)$/.test(e.localName) || s.backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(s.backgroundColor);
  };
  function cover(e, x, y) {
    const hit = document.elementFromPoint(x, y);
    if (!hit || related(hit, e) || labelled(hit, e) || layer(hit) !== layer(e)) return null;
    for (let a = hit; a && !a.contains(e); a = parent(a)) if (paints(a)) return a;
    return null;
  }
  for (const item of all) {
    const { left, right, top, bottom } = item.now;
    for (const share of [0.15, 0.5, 0.85]) {
      const by = cover(item.e, left + (right - left) * share, (top + bottom) / 2);
      if (!by) continue;
      faults.add(`covered: ${named(item.e)} by ${named(by)}`);
      break;
    }
  }

  /* ---- what is too small for a finger ---- */

  /** A link within a sentence is as high as its line. */
  const inLine = (e) => style(e).display === 'inline' && (parent(e)?.textContent.trim().length ?? 0) > e.textContent.trim().length;
  const reaches = (e, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (e.contains(hit) || [...(e.labels ?? [])].some((l) => l.contains(hit)));
  };
  const was = [scrollX, scrollY];
  for (const { e, box } of targets) {
    if (Math.min(box.right - box.left, box.bottom - box.top) >= TARGET - 0.5 || e.matches(small || ':not(*)') || inLine(e)) continue;
    // An area around it may take the finger too: how far does it go from the middle?
    let b = e.getBoundingClientRect();
    if (b.top < 0 || b.bottom > room.bottom) {
      e.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      b = e.getBoundingClientRect();
    }
    const [x, y] = [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
    const far = (dx, dy) => {
      let n = 0;
      while (n < TARGET && reaches(e, x + (n + 1) * dx, y + (n + 1) * dy)) n++;
      return n;
    };
    const wide = b.width >= TARGET - 0.5 || far(-1, 0) + far(1, 0) >= TARGET - 1;
    const high = b.height >= TARGET - 0.5 || far(0, -1) + far(0, 1) >= TARGET - 1;
    if (!wide || !high) faults.add(`small: ${named(e)} is ${px(b.width)} × ${px(b.height)}`);
  }
  scrollTo(...was);
  return [...faults];
}

/** The next picture is drawn, with its fonts. */
const drawn = (page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });

/**
 * What is wrong with the page in its present window. `small`: targets that may be under 44 px (DESIGN, section 8, says which:
 * where a choice has a larger way, too). `still`: what may not scroll here.
 */
export async function faults(page, { small = '', still = '' } = {}) {
  let found = [];
  // A fault counts once it stays: things may still be on their way.
  for (let before = null; before !== JSON.stringify(found) && (before === null || found.length > 0); ) {
    before = JSON.stringify(found);
    await drawn(page);
    found = await page.evaluate(look, { TARGET, small, still });
  }
  return found;
}

/**
 * Pulls the page's window through `sizes` and fails on whatever is wrong in any of them. `still`: a function of width and
 * height that says what may not scroll there. The window is as it was afterwards.
 */
export async function sweep(page, where, { sizes = windows, small = '', still = () => '' } = {}) {
  const before = page.viewportSize();
  const found = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const fault of await faults(page, { small, still: still(width, height) })) found.push(`${width}×${height} ${fault}`);
  }
  await page.setViewportSize(before);
  if (process.env.FAULTS) console.log(found.map((f) => `# ${where} ${f}`).join('\n'));
  equal(found, [], `${where}:`);
}
