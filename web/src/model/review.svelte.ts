// The analysis of the game that a replay shows: asked for, on its way, stopped, or there. The Worker and its module are loaded when
// they are needed.
import type { Analysis, Budget } from '../engine/analysis';
import { api } from '../net/api';
import type { ReplayStep } from '../net/types';
import { analyse, type By } from './analyst';

/** `none`: games of this kind are not analysed. */
type State = 'idle' | 'working' | 'done' | 'none' | 'failed';

export class Review {
  state = $state<State>('idle');
  analysis = $state.raw<Analysis | null>(null);
  record = $state.raw<string | null>(null);
  /** The game with everything open, which no value depends on: what hidden cards were. */
  open = $state.raw<ReplayStep[]>([]);
  /** What is looked for now, and how far that is. */
  budget = $state<Budget>('quick');
  weighed = $state(0);
  of = $state(0);
  /** Who works it out. */
  by = $state<By>('device');
  error = $state.raw<unknown>(null);
  private stopper: AbortController | null = null;

  constructor(private readonly table: string) {}

  /** Analyses; what is known so far is kept until there is better. */
  async run(budget: Budget): Promise<void> {
    this.stop();
    const stopper = new AbortController();
    this.stopper = stopper;
    Object.assign(this, { state: 'working', budget, weighed: 0, of: 0, by: 'device', error: null });
    try {
      await this.find(budget, stopper.signal);
    } catch (e) {
      if (stopper.signal.aborted) return;
      Object.assign(this, { state: 'failed', error: e });
    }
  }

  private async find(budget: Budget, signal: AbortSignal): Promise<void> {
    const [{ water = null }, record, { steps }] = await Promise.all([
      api.table(this.table),
      this.record ?? api.record(this.table),
      this.open.length > 0 ? { steps: this.open } : api.replay(this.table, 'open'),
    ]);
    this.record = record;
    this.open = steps;
    const progress = (weighed: number, of: number): void =>
      void Object.assign(this, { weighed, of });
    const by = (who: By): void => void (this.by = who);
    const { table } = this;
    const found = await analyse({
      table,
      record,
      seat: null,
      budget,
      water,
      progress,
      by,
      signal,
    });
    if (signal.aborted) return;
    this.analysis = found;
    this.state = found === null ? 'none' : 'done';
  }

  stop(): void {
    this.stopper?.abort(new Error('stopped'));
    this.stopper = null;
    if (this.state === 'working') this.state = this.analysis === null ? 'idle' : 'done';
  }
}
