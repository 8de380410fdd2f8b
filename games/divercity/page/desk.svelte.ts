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
import { turns, type Turn } from './moves';
import {
  claimable,
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
import { prompt } from './prompt';
import { say } from './say';
import type { Diver, DiverCityAction, DiverCityEvent, DiverCityView, Species } from './types';

/** What I was told about my own cards. It is shown until I answer, and once. */
export interface Telling {
  by: number | null;
  cards: (Species | null)[];
  signs: number[][] | null;
  /** The event that tells it, and how many of the table's events `cards` takes into account. */
  event: number;
  at: number;
}

/** One picture of the board and what led to it. */
interface Frame {
  view: DiverCityView;
  told: DiverCityEvent[];
  beat: DiverCityEvent[];
  trace: ReturnType<typeof traces>;
  /** What I am told at this moment: it has to be answered before the next picture. */
  telling?: Telling;
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
  private asked = '';

  readonly view = $derived.by(() => this.shown?.view ?? null);
  readonly busy = $derived.by(() => this.queue.length > 0);
  /** From rules 2, signs are the only language of the realistic variant. */
  readonly claims = $derived.by(() => !this.realistic || (this.view?.rules ?? 1) < 2);
  /** What this page is asked; a replay asks nothing. */
  readonly question = $derived.by((): Question =>
    this.view && this.table.state !== 'replay' ? question(this.view) : 'wait',
  );
  readonly hand = $derived.by(() =>
    this.view ? handOf(this.view, this.table.me, this.solo) : null,
  );
  /** The turns so far, oldest first. */
  readonly turns = $derived.by((): Turn[] =>
    this.shown ? turns(this.shown.told, this.shown.view.round) : [],
  );
  /** What has happened while I read what I was told; it is shown afterwards. */
  readonly meanwhile = $derived.by((): string[] =>
    this.telling === null ? [] : this.sentences(this.queue.flatMap((frame) => frame.beat)),
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

  /** A replay from a seat shows that seat's own hand among the others: nothing is played here. */
  get showsAll(): boolean {
    return this.table.state === 'replay';
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

  /** Is it said which cards this hand's owner knows? Signs tell nobody for sure, and what lies face up is plain to see. */
  tellsKnown(hand: number): boolean {
    return !this.solo && !this.realistic && hand !== this.me && this.view?.phase !== 'over';
  }

  /* ---- what happens ---- */

  /** Looks at the table; called whenever it changes. */
  take(): void {
    const { view, told: all, state } = this.table;
    if (view === null) return;
    const fresh = all.slice(Math.max(this.seen, this.table.earlier));
    const before = this.last;
    this.seen = all.length;
    this.last = view;
    // A replay may have jumped: what this very step did is marked, not what lies between.
    if (state === 'replay') {
      const { events } = this.table;
      return this.show({ view, told: all, beat: events, trace: traces(events) });
    }
    if (before === null) this.load(view);
    this.remember(fresh, view);
    if (before === null) return this.open(view, all, fresh);
    this.stage(before, view, all, fresh);
  }

  /** Everything at once: the last picture, or the next one that has to be answered. */
  skip(): void {
    if (this.telling) return;
    const stop = this.queue.findIndex((frame) => frame.telling !== undefined);
    const at = stop < 0 ? this.queue.length - 1 : stop;
    const frame = this.queue[at];
    const beats = this.queue.slice(0, at + 1).flatMap((f) => f.beat);
    this.queue = this.queue.slice(at + 1);
    if (frame) this.show({ ...frame, trace: this.glow(frame.told, beats.length) }, beats);
    this.goOn();
  }

  close(): void {
    clearTimeout(this.timer);
    const frame = this.queue.at(-1);
    const telling = this.queue.filter((f) => f.telling).at(-1)?.telling ?? this.telling;
    this.queue = [];
    if (frame) this.shown = frame;
    if (telling) this.telling = this.upToDate(telling);
    this.flush();
  }

  /** Notes that wait to be kept are kept now. */
  flush(): void {
    if (this.saving !== undefined) this.save();
  }

  /** What glows where nothing is shown one by one: the last `n` events, and all of the present turn. */
  private glow(told: DiverCityEvent[], n: number): Frame['trace'] {
    return traces(told.slice(Math.min(told.length - n, Math.max(0, lastIndex(told, 'turn')))));
  }

  private settle(view: DiverCityView, all: DiverCityEvent[], fresh: DiverCityEvent[]): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.show({ view, told: all, beat: fresh, trace: this.glow(all, fresh.length) });
  }

  /** The first picture: the board as it is, and what I have not answered yet. */
  private open(view: DiverCityView, all: DiverCityEvent[], fresh: DiverCityEvent[]): void {
    const tellings = fresh.flatMap((e, i) => this.tellingOf(e, all, all.length - fresh.length + i));
    this.settle(view, all, fresh);
    this.ask(tellings.at(-1));
    this.goOn();
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
      const telling = beat.flatMap((e, i) => this.tellingOf(e, all.slice(0, n + i + 1), n + i));
      n += beat.length;
      board = { ...follow(board, beat), legal: [] };
      delete board.looked_at;
      frames.push({
        view: board,
        told: all.slice(0, n),
        beat,
        trace: traces(beat),
        ...(telling[0] ? { telling: telling[0] } : {}),
      });
    }
    const last: Frame = {
      ...frames.at(-1),
      view,
      told: all,
      beat: groups.at(-1) ?? this.shown?.beat ?? [],
      trace: traces(thisTurn(all)),
    };
    if (frames.length > 0) frames[frames.length - 1] = last;
    else frames.push(last);
    const idle = this.queue.length === 0 && this.telling === null;
    this.queue = [...this.queue, ...frames];
    this.waitForAnswers();
    if (!idle) return;
    if (settings.calm) this.skip();
    else this.next();
  }

  private readonly next = (): void => {
    const [frame, ...rest] = this.queue;
    if (frame === undefined) return;
    this.queue = rest;
    this.show(frame);
    this.goOn();
  };

  /** Waits for the next picture, or says what is asked once there is none. Nothing goes on while I read. */
  private goOn(): void {
    clearTimeout(this.timer);
    if (this.telling !== null) return;
    const waiting = this.queue.length;
    if (waiting === 0) return this.prompt();
    if (settings.calm) return this.skip();
    this.timer = setTimeout(this.next, BEAT_MS / (settings.pace * (waiting > 10 ? 3 : 1)));
  }

  /** `beats`: what is told by this picture, if it is more than its own. */
  private show(frame: Frame, beats: DiverCityEvent[] = frame.beat): void {
    const old = this.shown?.view;
    this.shown = frame;
    if (
      old?.phase !== frame.view.phase ||
      old?.active !== frame.view.active ||
      old?.round !== frame.view.round
    ) {
      this.choice = null;
      if (old?.phase !== frame.view.phase) this.picked = null;
    }
    if (old && !this.silent) words.say(...this.sentences(beats));
    this.ask(frame.telling);
  }

  /* ---- what is said to those who listen ---- */

  /** A replay and a lesson say what they show themselves. */
  private get silent(): boolean {
    return this.table.state === 'replay' || this.table.lesson !== undefined;
  }

  private sentences(events: DiverCityEvent[]): string[] {
    return events.map((e) => say(e, (s) => this.seat(s))).filter((line) => line !== null);
  }

  /** Says what is asked of me, once a question. */
  private prompt(): void {
    const view = this.view;
    if (view === null || this.silent || this.me === null) return;
    const asked = `${this.question} ${view.round} ${view.active} ${view.ordered}`;
    if (asked === this.asked) return;
    this.asked = asked;
    const text = prompt(this, view);
    if (text !== null) words.say(text);
  }

  /* ---- doing ---- */

  /** Sends an action; a refusal is told. A second click while one is under way does nothing. */
  async act(action: DiverCityAction): Promise<boolean> {
    if (this.table.sending > 0 && action.do !== 'claim') return false;
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

  /** Claims each note that names one species; what is claimed already is left as it is. */
  async claimNotes(hand: number): Promise<void> {
    for (const { card, species } of claimable(this.notes, hand, this.view?.claims[hand] ?? []))
      if (!(await this.claim(hand, card, species))) return;
  }

  /** Closes what I was told, for good, and goes on with what has happened meanwhile. */
  hush(keep: boolean): void {
    const { telling, me } = this;
    this.telling = null;
    this.waitForAnswers();
    if (keep && me !== null && telling) {
      this.upToDate(telling).cards.forEach((s, i) => {
        if (s !== null) this.notes = withNote(this.notes, me, i, { species: [s], sure: true });
      });
      this.notes = { ...this.notes, ...this.stamp() };
      this.saveSoon();
    }
    if (this.queue.length > 0 && !settings.calm) this.next();
    else this.goOn();
  }

  /** The same of the cards as they lie now. */
  private upToDate(telling: Telling): Telling {
    const { told } = this.table;
    const cards = travel(telling.cards, told.slice(telling.at), this.me ?? 0);
    return { ...telling, cards, at: told.length };
  }

  private ask(telling: Telling | undefined): void {
    if (telling === undefined || this.last?.phase === 'over') return;
    this.telling = telling;
    this.waitForAnswers();
  }

  /** What I have not answered is told again if this page is loaded again. */
  private waitForAnswers(): void {
    const first = this.telling ?? this.queue.find((frame) => frame.telling)?.telling;
    this.table.unread?.(first && this.last?.phase !== 'over' ? first.event : null);
  }

  /** What an event tells me about my own cards; `until` are the events up to the moment that is shown, `at` is its place among them. */
  private tellingOf(e: DiverCityEvent, until: DiverCityEvent[], at: number): Telling[] {
    const me = this.me;
    if (me === null || this.isIndustrialist || this.solo) return [];
    const told =
      e.event === 'walkie' && e.target === me
        ? { by: whose(e), cards: e.cards ?? [], signs: e.signs ?? null }
        : e.event === 'explored' && whose(e) === me
          ? { by: null, cards: e.cards, signs: null }
          : null;
    if (!told || !(told.signs || told.cards.some((c) => c !== null))) return [];
    const cards = travel(told.cards, until.slice(at + 1), me);
    return [{ ...told, cards, event: at, at: until.length }];
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
  }

  /** Gets my notes from the server, once. Those that may be about other cards by now are dropped. */
  private load(first: DiverCityView): void {
    const { id, token } = this.table;
    if (this.me === null || this.isIndustrialist) return;
    if (token === null) {
      this.loaded = true; // a lesson keeps nothing
      return;
    }
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
