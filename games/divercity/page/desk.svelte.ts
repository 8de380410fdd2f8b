// A table of DiverCity as one page shows it: what happens is shown one thing at a time, and what I note stays mine.
import { t } from '$i18n/index.svelte';
import { read, write } from '$model/kept';
import { settings } from '$model/settings.svelte';
import type { DiverCityTable } from './types';
import { words } from '$model/words.svelte';
import { api } from '$net/api';
import { seatName } from '$ui/names';
import { refused } from '$ui/refusal';
import {
  beats,
  corporation,
  follow,
  handOf,
  industrialist,
  isSolo,
  lastIndex,
  question,
  thisTurn,
  traces,
  whose,
  type Corporation,
  type Question,
} from './model';
import {
  moved,
  noNotes,
  noteAt,
  readNotes,
  stillFit,
  travel,
  withNote,
  written,
  type Note,
} from './notes';
import type { Diver, DiverCityAction, DiverCityEvent, DiverCityView, Species } from './types';

/** One picture of the board and what led to it. */
interface Frame {
  view: DiverCityView;
  told: DiverCityEvent[];
  beat: DiverCityEvent[];
  trace: ReturnType<typeof traces>;
}

/** What I was told about my own cards. It is shown once. */
export interface Telling {
  by: number | null;
  cards: (Species | null)[];
  signs: number[][] | null;
}

/** A choice that is being made on the board. */
export type Choice = { what: 'species' | 'hotel'; diver: Diver | null };

const BEAT_MS = 900;
const isBoolean = (v: unknown): v is boolean => typeof v === 'boolean';

export class Desk {
  readonly table: DiverCityTable;
  readonly solo: boolean;
  readonly industry: number | null;
  readonly simple: boolean;
  readonly faceUp: boolean;
  readonly realistic: boolean;
  shown = $state.raw<Frame | null>(null);
  telling = $state.raw<Telling | null>(null);
  notes = $state.raw(noNotes());
  notesOn = $state(read('divercity.notes', true, isBoolean));
  /** The picked card of my hand. */
  picked = $state<number | null>(null);
  choice = $state.raw<Choice | null>(null);
  private queue = $state.raw<Frame[]>([]);
  private last: DiverCityView | null = null;
  private seen = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;
  private loaded = false;
  private asking = false;

  readonly view = $derived.by(() => this.shown?.view ?? null);
  readonly busy = $derived.by(() => this.queue.length > 0);
  /** From rules 2, signs are the only language of the realistic variant. */
  readonly claims = $derived.by(() => !this.realistic || (this.view?.rules ?? 1) < 2);
  readonly question = $derived.by((): Question => (this.view ? question(this.view) : 'wait'));
  readonly hand = $derived.by(() =>
    this.view ? handOf(this.view, this.table.me, this.solo) : null,
  );
  readonly corporation = $derived.by((): Corporation | null =>
    this.shown ? corporation(this.shown.view, this.shown.told, this.simple) : null,
  );

  constructor(table: DiverCityTable) {
    this.table = table;
    this.solo = isSolo(table.options);
    this.industry = industrialist(table.options);
    // Rules 1 has one option for both.
    this.simple = (table.options['simple_corporations'] ?? table.options['beginners']) === true;
    this.faceUp = (table.options['face_up'] ?? table.options['beginners']) === true;
    this.realistic = table.options['realistic'] === true;
  }

  /* ---- names ---- */

  get me(): number | null {
    return this.table.me;
  }

  get isIndustrialist(): boolean {
    return this.me !== null && this.me === this.industry;
  }

  /** Does this viewer play this hand? */
  plays(hand: number): boolean {
    return this.me !== null && !this.isIndustrialist && (this.solo || hand === this.me);
  }

  /** The name of a hand's owner; in solo of the hand. */
  who(hand: number): string {
    return this.solo ? t('divercity.hand', { n: hand + 1 }) : seatName(this.table.seats, hand);
  }

  /** What stands in a hand's mark: a name's first letter, in solo the hand's number. */
  mark(hand: number): string {
    return this.solo ? String(hand + 1) : this.who(hand);
  }

  /** The name of a seat: in a duel seat 1 is the industrialist, and hand 1 is not its. */
  seat(seat: number): string {
    return seatName(this.table.seats, seat);
  }

  /* ---- what happens ---- */

  /** Looks at the table; called whenever it changes. */
  take(): void {
    const { view, told: all, state } = this.table;
    if (view === null) return;
    const fresh = all.slice(this.seen);
    const before = this.last;
    this.seen = all.length;
    this.last = view;
    if (state === 'replay') return this.settle(view, all, fresh);
    if (before === null) this.load(view);
    this.remember(fresh, view);
    if (before === null || settings.calm) return this.settle(view, all, fresh);
    this.stage(before, view, all, fresh);
  }

  /** Everything at once: the last picture. */
  skip(): void {
    const frame = this.queue.at(-1);
    clearTimeout(this.timer);
    if (frame) this.show(frame);
    this.queue = [];
  }

  close(): void {
    this.skip();
    this.flush();
  }

  /** Notes that wait to be kept are kept now. */
  flush(): void {
    if (this.saving !== undefined) this.save();
  }

  private settle(view: DiverCityView, all: DiverCityEvent[], fresh: DiverCityEvent[]): void {
    const from = Math.min(all.length - fresh.length, Math.max(0, lastIndex(all, 'turn')));
    clearTimeout(this.timer);
    this.queue = [];
    this.show({ view, told: all, beat: fresh, trace: traces(all.slice(from)) });
  }

  private stage(
    before: DiverCityView,
    view: DiverCityView,
    all: DiverCityEvent[],
    fresh: DiverCityEvent[],
  ): void {
    const groups = beats(fresh);
    const frames: Frame[] = [];
    let board = before;
    let n = all.length - fresh.length;
    for (const beat of groups) {
      n += beat.length;
      board = { ...follow(board, beat), legal: [] };
      delete board.looked_at;
      frames.push({ view: board, told: all.slice(0, n), beat, trace: traces(beat) });
    }
    const last = {
      view,
      told: all,
      beat: groups.at(-1) ?? this.shown?.beat ?? [],
      trace: traces(thisTurn(all)),
    };
    if (frames.length > 0) frames[frames.length - 1] = last;
    else frames.push(last);
    const idle = this.queue.length === 0;
    this.queue = [...this.queue, ...frames];
    if (idle) this.next();
  }

  private readonly next = (): void => {
    const [frame, ...rest] = this.queue;
    if (frame === undefined) return;
    this.queue = rest;
    this.show(frame);
    clearTimeout(this.timer);
    if (rest.length > 0)
      this.timer = setTimeout(
        this.next,
        BEAT_MS / (settings.kept.pace * (rest.length > 10 ? 3 : 1)),
      );
  };

  private show(frame: Frame): void {
    const old = this.shown?.view;
    this.shown = frame;
    if (
      old?.phase !== frame.view.phase ||
      old?.active !== frame.view.active ||
      old?.round !== frame.view.round
    ) {
      this.choice = null;
      this.picked = null;
    }
  }

  /* ---- doing ---- */

  /** Sends an action; a refusal is told. */
  async act(action: DiverCityAction): Promise<boolean> {
    this.skip();
    this.choice = null;
    try {
      await this.table.act(action);
      if (action.do !== 'claim') this.picked = null;
      return true;
    } catch (e) {
      refused(e);
      return false;
    }
  }

  claim(hand: number, card: number, species: Species | null): Promise<boolean> {
    const target = this.solo && hand !== this.view?.active ? { target: hand } : {};
    return this.act({ do: 'claim', card, species, ...target });
  }

  /** The view after this, if nothing unknown plays a part in it; null otherwise. One question at a time. */
  async preview(action: DiverCityAction): Promise<DiverCityView | null> {
    const now = this.last;
    if (this.asking) return null;
    this.asking = true;
    try {
      const then = await this.table.what([action]);
      return then.round === now?.round && then.species_deck === now.species_deck ? then : null;
    } catch {
      return null;
    } finally {
      this.asking = false;
    }
  }

  /* ---- what I was told, what I note ---- */

  note(hand: number, card: number): Note | null {
    return this.notesOn ? noteAt(this.notes, hand, card) : null;
  }

  setNote(hand: number, card: number, note: Note | null): void {
    this.notes = { ...withNote(this.notes, hand, card, note), ...this.stamp() };
    this.saveSoon();
  }

  useNotes(on: boolean): void {
    this.notesOn = on;
    write('divercity.notes', on);
  }

  /** Closes what I was told, for good. */
  hush(keep: boolean): void {
    const cards = this.telling?.cards ?? [];
    this.telling = null;
    if (!keep || this.me === null) return;
    cards.forEach((s, i) => {
      if (s !== null)
        this.notes = withNote(this.notes, this.me ?? 0, i, { species: [s], sure: true });
    });
    this.notes = { ...this.notes, ...this.stamp() };
    this.saveSoon();
  }

  private stamp(): { round: number; gone: number } {
    return { round: this.last?.round ?? 0, gone: this.last?.species_discard.length ?? 0 };
  }

  private remember(fresh: DiverCityEvent[], view: DiverCityView): void {
    const me = this.me;
    if (me === null || this.isIndustrialist) return;
    if (fresh.length > 0 && this.loaded) {
      const mine = fresh.some((e) => {
        const hand = whose(e);
        return hand !== null && this.plays(hand);
      });
      this.notes = moved(this.notes, fresh, view);
      if (mine && Object.keys(this.notes.hands).length > 0) this.saveSoon();
    }
    if (this.solo || view.phase === 'over') return;
    if (this.telling)
      this.telling = { ...this.telling, cards: travel(this.telling.cards, fresh, me) };
    fresh.forEach((e, i) => {
      const told =
        e.event === 'walkie' && e.target === me
          ? { by: whose(e), cards: e.cards ?? [], signs: e.signs ?? null }
          : e.event === 'explored' && whose(e) === me
            ? { by: null, cards: e.cards, signs: null }
            : null;
      if (told && (told.signs || told.cards.some((c) => c !== null)))
        this.telling = { ...told, cards: travel(told.cards, fresh.slice(i + 1), me) };
    });
  }

  /** Gets my notes from the server, once. Those that may be about other cards by now are dropped. */
  private load(first: DiverCityView): void {
    const { id, token } = this.table;
    if (token === null || this.me === null || this.isIndustrialist) return;
    const from = this.seen;
    api.notes(id, token).then(
      (text) => {
        const kept = readNotes(text);
        this.loaded = true;
        if (Object.keys(kept.hands).length === 0) return;
        if (!stillFit(kept, first)) return words.show(t('divercity.notes.stale'));
        const since = this.table.told.slice(from);
        if (this.last) this.notes = moved(kept, since, this.last);
      },
      () => (this.loaded = true),
    );
  }

  private saveSoon(): void {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), 400);
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = undefined;
    const { id, token } = this.table;
    if (token !== null)
      api
        .keepNotes(id, written(this.notes), token)
        .catch(() => words.show(t('divercity.notes.unsaved'), 'bad'));
  }
}

const desks = new WeakMap<DiverCityTable, Desk>();

/** The one desk of a table on this page: bar and board show the same moment. */
export function deskOf(table: DiverCityTable): Desk {
  const desk = desks.get(table) ?? new Desk(table);
  desks.set(table, desk);
  return desk;
}
