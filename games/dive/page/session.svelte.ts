// What this page keeps of a table of Dive beyond the view: the plan being laid, the dive being shown, the clock.
import { settings } from '$model/settings.svelte';
import type { DiveTable } from './types';
import * as draft from './draft';
import { rules } from './numbers';
import { Eye } from './eye.svelte';
import { Lens } from './lens.svelte';
import { BEATS, lastBeat, pawnsAt, storyOf, type Pawns, type Step, type Story } from './story';
import type { Announced, Companion, DiveAction, DiveEvent, DiveView, Who } from './types';
import { pointed } from './study';
import { Wiggle } from './wiggle.svelte';

export type Stage = 'setup' | 'plan' | 'reveal' | 'rest' | 'over';

/** Dives that this page has shown, by table: several players on one device see each once. */
const shown = new Map<string, number>();

/** How long each beat of a level holds; the last one only where the dive goes on by itself. */
const HOLD_MS: Record<number, number> = {
  [BEATS.stack]: 900,
  [BEATS.lift]: 1500,
  [BEATS.dark]: 650,
  [BEATS.faces]: 1000,
  [BEATS.verdict]: 1700,
  [BEATS.helper]: 3400,
};
/** A verdict that ends its level is read before the next one begins. */
const READ_MS = 2200;
/** From the second level on everybody knows what comes: the first three beats are shorter. */
const LATER = 0.6;
/** So long the stage waits for the picture of a sheet. */
const PICTURE_MS = 4000;

/** How long a beat holds at the stage's own pace. */
function holdOf(step: Step, beat: number): number {
  const ms = (HOLD_MS[beat] ?? 0) + (beat === BEATS.verdict && step.helped === null ? READ_MS : 0);
  return step.level > 1 && beat <= BEATS.dark ? ms * LATER : ms;
}

/** ... and the whole level. */
function levelMs(step: Step): number {
  let ms = 0;
  for (let beat: number = BEATS.stack; beat <= lastBeat(step); beat++) ms += holdOf(step, beat);
  return ms;
}

const DEBOUNCE_MS = 150;

export class DiveSession {
  readonly table: DiveTable;
  readonly eye = new Eye();
  readonly lens = new Lens();
  readonly wiggle = new Wiggle(this.eye);
  private staged = $state<Stage>('plan');
  /** A table screen or somebody who only looks on: shows go on by themselves. */
  auto = false;

  constructor(table: DiveTable) {
    this.table = table;
    this.draft = draft.fresh(this.table.options['children'] === true);
  }

  get view(): DiveView | null {
    return this.table.view;
  }

  /** In an analysed replay, where a program was decided on, it is the plan: the dive before it is shown without analysis. */
  get stage(): Stage {
    return pointed(this.table.study) === null ? this.staged : 'plan';
  }

  set stage(to: Stage) {
    this.staged = to;
  }

  /* ---- what came from the server ---- */

  private last: DiveView | null = null;

  /** Called for every change, before anything is drawn. */
  see(view: DiveView | null, events: DiveEvent[]): void {
    if (view === null || view === this.last) return;
    const told = events;
    const first = this.last === null;
    this.last = view;
    this.takeDraft(view, first);
    const dived =
      view.dive !== undefined &&
      (first ? told.some((e) => e.event === 'card') : view.dive.round !== this.story?.round);
    if (this.table.state === 'replay') return this.seeStep(view, events, told);
    if (dived && view.dive !== undefined && shown.get(this.table.id) === view.dive.round) {
      this.story = storyOf(view, events);
      this.stage = restingStage(view);
    } else if (dived) this.reveal(storyOf(view, events));
    else if (first) {
      this.story = storyOf(view);
      this.stage = restingStage(view);
    } else if (this.story !== null && view.dive?.moves.length !== this.story.dive.moves.length) {
      const known = this.story;
      const again = storyOf(view, events);
      this.story = again && {
        ...again,
        keeps: known.keeps,
        rests: again.rests.map((r, i) => ({
          ...r,
          heldBy: known.rests[i]?.heldBy ?? null,
          levels: known.rests[i]?.levels ?? r.levels,
        })),
      };
      if (view.phase === 'over' && this.stage === 'plan') this.stage = 'rest';
    }
    if (this.stage === 'setup' && view.phase !== 'setup') this.stage = 'plan';
    if (
      told.some((e) => e.event === 'used' && (e.companion === 'orca' || e.companion === 'fugu')) &&
      view.phase === 'program' &&
      !dived
    )
      this.stage = 'plan';
  }

  private seeStep(view: DiveView, events: DiveEvent[], told: DiveEvent[]): void {
    if (told.some((e) => e.event === 'card')) this.reveal(storyOf(view, events));
    else {
      this.playing = false;
      this.stop();
      this.story = storyOf(view);
      this.stage = restingStage(view);
    }
  }

  /* ---- the plan ---- */

  private laid = $state.raw<draft.Draft>(draft.fresh());

  /** In an analysed replay it is the program that is pointed at. */
  get draft(): draft.Draft {
    const studied = pointed(this.table.study);
    return studied === null ? this.laid : draft.from(studied.program, this.view?.children);
  }

  set draft(to: draft.Draft) {
    this.laid = to;
  }

  /** The level that was touched last: keys mean it where no level has the focus. */
  level = $state<number | null>(null);
  private round = 0;
  private told = '';
  /** What is being sent; it never fails. */
  private sending: Promise<boolean> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The plan on screen and what the server has differ. */
  unsent = $state(false);

  private takeDraft(view: DiveView, first: boolean): void {
    const theirs = view.program === undefined ? null : draft.from(view.program, view.children);
    if (view.round !== this.round || first) {
      this.round = view.round;
      this.level = null;
      this.draft =
        view.phase === 'program' && theirs !== null ? theirs : draft.fresh(view.children);
      this.told = JSON.stringify(draft.sent(this.draft));
      this.unsent = false;
      clearTimeout(this.timer);
    } else if (
      theirs !== null &&
      !this.unsent &&
      this.sending === null &&
      JSON.stringify(draft.sent(theirs)) !== this.told
    ) {
      this.draft = theirs; /* laid on another device of this seat */
      this.told = JSON.stringify(draft.sent(theirs));
    }
  }

  /** A position that somebody wrote down: no server has pictures of its stack. */
  get written(): boolean {
    return this.table.state === 'replay' && this.table.visit === null;
  }

  get ready(): boolean {
    const me = this.table.me;
    return me !== null && this.view?.ready[me] === true;
  }

  get breathed(): boolean {
    const me = this.table.me;
    return me !== null && this.view?.breathed?.[me] === true;
  }

  /** May the plan be changed now? */
  get open(): boolean {
    return (
      this.table.me !== null &&
      this.view?.phase === 'program' &&
      !this.ready &&
      !this.breathed &&
      this.table.state !== 'replay'
    );
  }

  /** A change of the plan; the server is told a moment later, and at once before anything that depends on it. */
  lay(to: draft.Draft): void {
    if (to === this.draft) return;
    if (!this.open) return;
    const changes = !draft.same(to, this.draft);
    this.draft = to;
    if (!changes) return;
    this.unsent = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), DEBOUNCE_MS);
  }

  /** Tells the server what lies here; true if it has it. */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    while (this.sending !== null) await this.sending;
    const action = draft.sent(this.draft);
    const text = JSON.stringify(action);
    if (text === this.told) {
      this.unsent = false;
      return true;
    }
    this.sending = this.send(action, text);
    return this.sending;
  }

  private async send(action: DiveAction, text: string): Promise<boolean> {
    const round = this.round;
    try {
      await this.table.act(action);
      if (round === this.round) this.told = text;
      return true;
    } catch {
      if (round === this.round) this.refused();
      return false;
    } finally {
      this.sending = null;
      if (round === this.round) {
        if (JSON.stringify(draft.sent(this.draft)) === this.told) this.unsent = false;
        else if (this.open) this.timer = setTimeout(() => void this.flush(), DEBOUNCE_MS);
      }
    }
  }

  async toggleReady(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      if (this.ready) await this.table.act({ do: 'unready' });
      else if (await this.flush()) await this.table.act({ do: 'ready' });
    } catch {
      /* a lesson asks for another plan first: what was laid stays */
      if (this.table.lesson === undefined) this.refused();
    } finally {
      this.busy = false;
    }
  }

  busy = $state(false);

  /** Any other action; true if it was taken. */
  async act(action: DiveAction): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      if (this.unsent && this.open) await this.flush();
      await this.table.act(action);
      return true;
    } catch {
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The table has told why; what lies here is what the server has again. */
  private refused(): void {
    const mine = this.view?.program;
    if (mine === undefined) return;
    this.draft = draft.from(mine, this.view?.children);
    this.told = JSON.stringify(draft.sent(this.draft));
    this.unsent = false;
  }

  /* ---- companions ---- */

  get mate(): Companion | null {
    const me = this.table.me;
    return me === null ? null : (this.view?.companions[me] ?? null);
  }

  announced(companion: Companion): Announced | null {
    return this.view?.announced.find((a) => a.companion === companion) ?? null;
  }

  get mateUsed(): boolean {
    const mate = this.mate;
    return mate !== null && this.announced(mate)?.seat === this.table.me;
  }

  /** The octopus is being placed: where. */
  placing = $state.raw<[number, number] | null>(null);

  /* ---- the dive that is shown ---- */

  story = $state.raw<Story | null>(null);
  step = $state(1);
  beat = $state<number>(BEATS.stack);
  playing = $state(false);
  /** The dive is watched on another screen: it goes on here as it does there. */
  led = false;
  private beats: ReturnType<typeof setTimeout> | undefined;
  /** The sheet on stage can be seen; until then the stack stays. */
  private pictured = false;
  private waiting = false;

  private reveal(story: Story | null): void {
    if (story === null) return;
    this.story = story;
    this.placing = null;
    this.stop();
    this.show(1, true);
  }

  /** Shows a level from the stack on; `play`: and goes on by itself. Levels that nobody reached are left out. */
  show(level: number, play = this.playing): void {
    this.stop();
    if (this.story === null) return;
    const { steps, round } = this.story;
    while (steps[level - 1]?.calls.length === 0) level++;
    if (level > steps.length) {
      if (this.table.lesson === undefined) shown.set(this.table.id, round);
      this.stage = 'rest';
      this.playing = false;
      if (this.auto) this.later(rules.step_ms * 2);
      return;
    }
    this.stage = 'reveal';
    this.step = Math.max(1, level);
    this.playing = play;
    this.beat = BEATS.stack;
    this.pictured = this.led;
    this.tick();
  }

  private get on(): Step | undefined {
    return this.story?.steps[this.step - 1];
  }

  /** The next level that somebody reached; null: Rest comes. */
  get following(): Step | null {
    return this.story?.steps.slice(this.step).find((s) => s.calls.length > 0) ?? null;
  }

  /** Everything of this level is to be seen. */
  get ended(): boolean {
    return this.on === undefined || this.beat >= lastBeat(this.on);
  }

  /** Nobody is asked to go on: a table screen, somebody who watches, or the clock of the next plan. */
  private get through(): boolean {
    return this.auto || this.led || this.clockStarts !== null;
  }

  private tick(): void {
    if (!this.playing || this.on === undefined || (this.ended && !this.through)) return;
    const pace = this.through ? 1 : settings.pace;
    /* the server gives a level so much time before the clock of the next plan starts */
    const squeeze = this.clockStarts === null ? 1 : Math.min(1, rules.step_ms / levelMs(this.on));
    this.beats = setTimeout(() => this.beatOver(), (holdOf(this.on, this.beat) * squeeze) / pace);
  }

  private beatOver(): void {
    if (this.beat > BEATS.stack || this.pictured) return this.next();
    this.waiting = true;
    this.beats = setTimeout(() => this.next(), PICTURE_MS);
  }

  /** The picture of the sheet is there, or will not come. */
  arrived(): void {
    this.pictured = true;
    if (this.waiting) this.next();
  }

  /** The next beat; after the last one of a level, the next level or Rest. */
  next(): void {
    if (this.ended) return this.show(this.step + 1);
    this.stop();
    this.beat++;
    this.tick();
  }

  /** The outcome of this level at once. */
  outcome(): void {
    this.stop();
    if (this.on !== undefined) this.beat = lastBeat(this.on);
    this.tick();
  }

  private later(ms: number): void {
    this.beats = setTimeout(() => this.goOn(), ms);
  }

  /** Holds the beat that is shown. */
  pause(): void {
    this.playing = false;
    this.stop();
  }

  resume(): void {
    this.playing = true;
    this.next();
  }

  private stop(): void {
    clearTimeout(this.beats);
    this.waiting = false;
  }

  /** From Rest to the next plan, or to the end. */
  goOn(): void {
    this.stop();
    this.playing = false;
    if (this.view?.phase === 'axolotl') return;
    if (this.view?.phase !== 'over') this.stage = 'plan';
    else if (this.auto) this.stage = 'over';
  }

  /** To Rest, without the levels in between. */
  skip(): void {
    this.show((this.story?.steps.length ?? 0) + 1);
  }

  /** Where the pawns stand on screen. */
  get pawns(): Pawns {
    const view = this.view;
    if (this.story !== null && this.stage === 'reveal')
      return pawnsAt(this.story, this.step, this.beat);
    const now = new Map<Who, number>((view?.pawns ?? []).map((p, seat) => [seat, p]));
    if (view !== null && view.chief !== null) now.set('chief', view.chief);
    return now;
  }

  /** The round on screen, and the sheets that are still in the stack on screen. */
  get shownRound(): number {
    return this.stage === 'reveal' || this.stage === 'rest'
      ? (this.story?.round ?? 1)
      : (this.view?.round ?? 1);
  }

  get sheets(): number {
    const hidden =
      this.stage === 'reveal' && this.story !== null ? this.story.steps.length - this.step : 0;
    return (this.view?.stack ?? 0) + hidden;
  }

  /* ---- the clock ---- */

  /** When the plan is stopped, by performance.now(); null: never. */
  get ends(): number | null {
    return this.view?.phase === 'program' && this.view.deadline !== null ? this.table.ends : null;
  }

  /** How long the clock runs: orca's ten seconds, or the table's own. */
  get total(): number {
    const orca = this.view?.announced.some((a) => a.companion === 'orca') ?? false;
    return orca ? rules.orca_ms : Number(this.table.options['clock'] ?? 0) * 1000;
  }

  /** When the clock of the next plan starts for all. */
  get clockStarts(): number | null {
    return this.ends === null || this.total === 0 ? null : this.ends - this.total;
  }
}

const restingStage = (view: DiveView): Stage =>
  view.phase === 'setup'
    ? 'setup'
    : view.phase === 'axolotl' || view.phase === 'over'
      ? 'rest'
      : 'plan';

const sessions = new WeakMap<DiveTable, DiveSession>();

/** The session of a table: one for all its components. */
export function sessionOf(table: DiveTable): DiveSession {
  const known = sessions.get(table);
  if (known !== undefined) return known;
  let session!: DiveSession;
  /* in a root of its own: whoever derives something from a session that it has made would not be told when it changes */
  $effect.root(() => {
    session = new DiveSession(table);
  });
  sessions.set(table, session);
  return session;
}
