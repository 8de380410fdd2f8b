// The table of a lesson: shows what the referee said, and takes the one action that is asked for.
import { Refusal } from '../net/api';
import type { Action, GameId, JsonObject, SeatInfo, View } from '../net/types';
import { gameOf, type GameModule } from './game';
import { answer, canonical, merge, type Lesson } from './lesson';
import type { Table } from './table.svelte';

export async function loadLesson(game: GameId): Promise<Lesson> {
  const { lesson } = gameOf(game);
  if (lesson === null) throw new Error(`there is no lesson of ${game}`);
  return (await lesson()).default;
}

export class TutorialTable<V extends View = View> implements Table<V> {
  readonly id: string;
  readonly game: GameId;
  readonly options: JsonObject;
  readonly seats: SeatInfo[];
  readonly me = 0;
  readonly screen = false;
  readonly state = 'open';
  readonly sending = 0;
  readonly token = null;
  readonly visit = null;
  readonly lesson: Lesson;
  step = $state(0);
  /** Something else than what is asked was tried in this step. */
  strayed = $state(false);
  readonly ends = null;
  readonly earlier = 0;
  view = $derived.by(() => (this.lesson.steps[this.step]?.view ?? null) as V | null);
  previous = $derived.by(() => (this.lesson.steps[this.step - 1]?.view ?? null) as V | null);
  events = $derived.by(() => this.lesson.steps[this.step]?.events ?? []);
  told = $derived.by(() => this.lesson.steps.slice(0, this.step + 1).flatMap((s) => s.events));
  readonly pictures: Table['pictures'];
  private readonly module: GameModule;
  private readonly hint: () => string;

  /** `hint`: what is told to a learner who does something else. */
  constructor(lesson: Lesson, module: GameModule, hint: () => string) {
    this.lesson = lesson;
    this.id = `lesson-${lesson.game}`;
    this.game = lesson.game;
    this.options = lesson.options;
    this.seats = lesson.names.map((name, seat) => ({ seat, name, bot: null, here: true }));
    this.module = module;
    this.pictures = module.pictures;
    this.hint = hint;
  }

  get asks(): Action | undefined {
    return this.lesson.steps[this.step]?.do;
  }

  go(step: number): void {
    this.step = Math.max(0, Math.min(step, this.lesson.steps.length - 1));
    this.strayed = false;
  }

  /** Whether this step waits for the learner. */
  get waits(): boolean {
    const step = this.lesson.steps[this.step];
    return (step?.do ?? step?.task ?? step?.ask) !== undefined;
  }

  /** Something was done on the board that the server need not know. */
  tried(what: string): void {
    if (this.lesson.steps[this.step]?.task === what) this.go(this.step + 1);
  }

  /** An answer to the question of this step. */
  says(answer: string): void {
    if (this.lesson.steps[this.step]?.ask?.right === answer) this.go(this.step + 1);
    else this.strayed = true;
  }

  act(action: Action): Promise<void> {
    const to = answer(this.lesson.steps, this.step, action, this.module.plain);
    if (typeof to === 'number') {
      this.go(to);
      return Promise.resolve();
    }
    this.strayed = true;
    return to === 'let' ? Promise.resolve() : Promise.reject(new Refusal('lesson', this.hint()));
  }

  what(actions: Action[]): Promise<V> {
    const patch = this.lesson.steps[this.step]?.what?.[canonical(actions)];
    if (patch === undefined || this.view === null)
      return Promise.reject(new Refusal('lesson', this.hint()));
    return Promise.resolve(merge(this.view, patch) as V);
  }

  look(): void {}
  hold(): void {}
}
