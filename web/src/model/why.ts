// Whether one can ask why: an event tells of a choice that a bot made, and the server can say which change that was.
import { isLocal } from '../net/local';
import type { Action, GameEvent, View } from '../net/types';
import type { WhyWords } from './game';
import type { Moment, Table } from './table.svelte';

/** A question about a bot's choice. */
export interface Question extends Moment {
  seat: number;
}

function questionAbout<V extends View, E extends GameEvent, A extends Action>(
  table: Table<V, E, A>,
  why: WhyWords<V, E, A> | undefined,
  event: E,
): Question | null {
  const seat = why?.mover(event) ?? null;
  if (isLocal(table.id)) return null; // nobody could answer
  if (seat === null || !table.seats[seat]?.bot) return null;
  const over = table.state === 'replay' || Boolean(table.view?.['result']);
  if (why?.afterwards && !over) return null;
  const moment = table.moment?.(event) ?? null;
  return moment && { ...moment, seat };
}

/** The questions that a list of events allows, each with the first event that tells of it. */
export function questions<V extends View, E extends GameEvent, A extends Action>(
  table: Table<V, E, A>,
  why: WhyWords<V, E, A> | undefined,
  events: readonly E[],
): Map<E, Question> {
  const found = new Map<E, Question>();
  const known = new Set<string>();
  for (const event of events) {
    const question = questionAbout(table, why, event);
    const key = question && `${question.seq} ${question.seat}`;
    if (question === null || key === null || known.has(key)) continue;
    known.add(key);
    found.set(event, question);
  }
  return found;
}
