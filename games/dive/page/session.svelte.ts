// What this page keeps of a table of Dive beyond the view: the plan being laid, the dive being shown, the clock.
import { settings } from '$model/settings.svelte';
import type { DiveTable } from './types';
import * as draft from './draft';
import { rules } from './numbers';
import { Eye } from './eye.svelte';
import { BEATS, pawnsAt, storyOf, type Pawns, type Story } from './story';
import type { Announced, Companion, DiveAction, DiveEvent, DiveView, Who } from './types';

export type Stage = 'setup' | 'plan' | 'reveal' | 'rest' | 'over';

/** Dives that this page has shown, by table: several players on one device see each once. */
const shown = new Map<string, number>();

/** The beats of a level share the time that the server counts for it. */
const BEAT_MS = [700, 900, 900];
const DEBOUNCE_MS = 150;

export class DiveSession {
  readonly table: DiveTable;
  readonly eye = new Eye();
  stage = $state<Stage>('plan');
  /** A table screen or somebody who only looks on: shows go on by themselves. */
  auto = false;

  constructor(table: DiveTable) {
    this.table = table;
    this.draft = draft.fresh(this.table.options['children'] === true);
  }

  get view(): DiveView | null {
    return this.table.view;
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

  draft = $state.raw<draft.Draft>(draft.fresh());
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
      this.refused();
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
  beat = $state(0);
  playing = $state(false);
  private beats: ReturnType<typeof setTimeout> | undefined;

  private reveal(story: Story | null): void {
    if (story === null) return;
    this.story = story;
    this.placing = null;
    this.stop();
    if (story.steps.length === 0) {
      this.stage = 'rest';
      if (this.auto) this.later(rules.step_ms);
      return;
    }
    this.stage = 'reveal';
    this.show(1, true);
  }

  /** Shows a level from its sheet on; `play`: and goes on by itself. */
  show(level: number, play = this.playing): void {
    this.stop();
    if (this.story === null) return;
    if (level > this.story.steps.length) {
      shown.set(this.table.id, this.story.round);
      this.stage = 'rest';
      this.playing = false;
      if (this.auto) this.later(rules.step_ms * 2);
      return;
    }
    this.stage = 'reveal';
    this.step = Math.max(1, level);
    this.playing = play;
    this.beat = settings.calm ? BEATS - 1 : 0;
    this.tick();
  }

  private tick(): void {
    const more = this.beat < BEATS - 1;
    if (!more && !this.playing) return;
    const pace = settings.kept.pace > 0 ? settings.kept.pace : 1;
    const ms = settings.calm ? rules.step_ms : (BEAT_MS[this.beat] ?? rules.step_ms);
    this.beats = setTimeout(() => {
      if (more) {
        this.beat++;
        this.tick();
      } else this.show(this.step + 1, true);
    }, ms / pace);
  }

  private later(ms: number): void {
    this.beats = setTimeout(() => this.goOn(), ms);
  }

  pause(): void {
    this.playing = false;
    this.stop();
    this.beat = BEATS - 1;
  }

  resume(): void {
    this.show(this.step + 1, true);
  }

  private stop(): void {
    clearTimeout(this.beats);
  }

  /** From Rest to the next plan, or to the end. */
  goOn(): void {
    this.stop();
    this.playing = false;
    if (this.view?.phase === 'axolotl') return;
    if (this.view?.phase !== 'over') this.stage = 'plan';
    else if (this.auto) this.stage = 'over';
  }

  /** Everything of this dive at once. */
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
  let session = sessions.get(table);
  if (session === undefined) sessions.set(table, (session = new DiveSession(table)));
  return session;
}
