// The options of a table to be made. What goes together is the server's to say: it is asked about every alternative.
import type { GameId, GameInfo, Json, JsonObject, OptionInfo, OptionsAnswer } from '../net/types';
import { tongue } from '../i18n/index.svelte';
import { check } from './begin';

export type Refused = Extract<OptionsAnswer, { ok: false }>;

const CLOCKS = [0, 60, 90, 120, 180];
const FEW = 12;

/** The values that are offered for an option; empty: it has a control of its own. */
export function offered(option: OptionInfo, seats: number): Json[] {
  switch (option.type) {
    case 'bool':
      return [false, true];
    case 'choice':
      return option.values ?? [];
    case 'seat':
      return ['random', ...Array.from({ length: seats }, (_, seat) => seat)];
    case 'int': {
      const [min, max] = [option.min ?? 0, option.max ?? 0];
      return max - min < FEW
        ? Array.from({ length: max - min + 1 }, (_, i) => min + i)
        : CLOCKS.filter((c) => c >= min && c <= max);
    }
    default:
      return [];
  }
}

/** A choice of options under way. Only what differs from the default is sent: defaults may depend on each other. */
export class Draft {
  readonly info: GameInfo;
  chosen = $state.raw<JsonObject>({});
  /** All options as the server completes them. */
  all = $state.raw<JsonObject>({});
  refused = $state.raw<Refused | null>(null);
  seats = $state(0);
  /** No server answers: the table will be on this device. */
  here = $state(false);
  private closed = $state.raw(new Map<string, Refused>());
  private asked = 0;

  constructor(info: GameInfo, chosen: JsonObject = {}) {
    this.info = info;
    this.chosen = chosen;
  }

  value(name: string): Json {
    return this.all[name] ?? this.info.options.find((o) => o.name === name)?.default ?? null;
  }

  /** Why a value cannot be chosen now; undefined: it can. */
  why(name: string, value: Json): Refused | undefined {
    return this.closed.get(key(name, value));
  }

  async choose(name: string, value: Json): Promise<void> {
    this.chosen = this.with(name, value);
    this.all = { ...this.all, [name]: value }; // at once: the next tap counts from here, however slow the answer is
    await this.ask();
  }

  /** Asks about the choice and everything that is one step away from it. */
  async ask(): Promise<void> {
    const steps = this.info.options.flatMap((o) =>
      offered(o, this.seats).map((value) => ({ name: o.name, value })),
    );
    const turn = ++this.asked;
    const others = steps.map((s) => this.unordered(this.with(s.name, s.value)));
    const { answers, here } = await check(this.info.id, [this.chosen, ...others].slice(0, 64));
    if (turn !== this.asked) return;
    if (here) await tongue.load('device');
    this.here = here;
    const closed = new Map<string, Refused>();
    steps.forEach((s, i) => {
      const answer = answers[i + 1];
      if (answer?.ok === false) closed.set(key(s.name, s.value), answer);
    });
    this.closed = closed;
    const now = answers[0];
    if (now?.ok === false && now.code === 'each-seat-once') {
      this.chosen = this.unordered(this.chosen);
      return this.ask();
    }
    this.refused = now?.ok === false ? now : null;
    if (!now?.ok) return;
    this.all = now.options;
    if (now.seats === this.seats) return;
    this.seats = now.seats;
    await this.ask();
  }

  /** Without orders of seats: they hold for one number of seats only. */
  private unordered(options: JsonObject): JsonObject {
    const orders = this.info.options.filter((o) => o.type === 'seats').map((o) => o.name);
    return Object.fromEntries(Object.entries(options).filter(([name]) => !orders.includes(name)));
  }

  private with(name: string, value: Json): JsonObject {
    const { [name]: _, ...rest } = this.chosen;
    const option = this.info.options.find((o) => o.name === name);
    return option !== undefined && same(option.default, value) ? rest : { ...rest, [name]: value };
  }
}

const key = (name: string, value: Json): string => `${name}=${JSON.stringify(value)}`;
const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Options of a table to be made again, changed. */
export const again: { game: GameId | null; options: JsonObject; water?: string | undefined } = {
  game: null,
  options: {},
};
