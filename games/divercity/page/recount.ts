// Moves as short phrases with a drawing, for the strip of the last turns.
import { list, t, tk } from '$i18n/index.svelte';
import type { Desk } from './desk.svelte';
import type { Step, Turn } from './moves';
import { capital, colourName, diverName, speciesName, theHotel, zoneName } from './text';

export function stepArt(step: Step): string {
  switch (step.what) {
    case 'rig':
    case 'boat':
      return `corp-${step.what}`;
    case 'built':
      return 'corp-hotels';
    case 'play':
      return 'act-play';
    case 'walkie':
      return 'diver-communications';
    case 'close':
    case 'freed':
      return 'diver-environmentalist';
    case 'lifted':
      return `ladder-${step.to}`;
    case 'used':
      return `diver-${step.diver}`;
    case 'ordered':
      return 'diver-captain';
  }
}

/** What the drawing says; null where the phrase says it all. */
export function stepWord(step: Step): string | null {
  if (step.what === 'rig' || step.what === 'boat') return tk('divercity.effect.', step.what);
  return step.what === 'play' ? t('divercity.moves.plays') : null;
}

export function stepText(step: Step, turn: Turn, desk: Desk): string {
  const mine = (hand: number) => !desk.solo && hand === desk.me;
  switch (step.what) {
    case 'rig':
    case 'boat':
    case 'play':
    case 'lifted':
      return step.from && step.to
        ? t('divercity.moved', {
            species: speciesName(step.species),
            from: zoneName(step.from),
            to: zoneName(step.to),
          })
        : t('divercity.effect.settled', { species: speciesName(step.species) });
    case 'built':
      return t('divercity.effect.built', { hotels: list(step.hotels.map(colourName)) });
    case 'walkie': {
      const to = { name: desk.who(step.to) };
      if (step.signs)
        return mine(step.to) ? t('divercity.moves.signs.you') : t('divercity.moves.signs', to);
      return mine(step.to) ? t('divercity.moves.tells.you') : t('divercity.moves.tells', to);
    }
    case 'close':
      return t('divercity.moves.closes', {
        hotel: theHotel(step.hotel),
        species: speciesName(step.species),
      });
    case 'freed':
      return t('divercity.use.island', { hotel: capital(theHotel(step.hotel)) });
    case 'used':
      return step.hand === null || step.hand === turn.hand
        ? t('divercity.moves.uses', { diver: diverName(step.diver) })
        : t('divercity.say.used', { who: desk.who(step.hand), diver: diverName(step.diver) });
    case 'ordered':
      return mine(step.to)
        ? t('divercity.moves.orders.you')
        : t('divercity.moves.orders', { name: desk.who(step.to) });
  }
}

export function turnTitle(turn: Turn, now: boolean, desk: Desk): string {
  const name = desk.who(turn.hand);
  if (!now) return t('divercity.moves.turn', { n: turn.n, name });
  return desk.plays(turn.hand) && !desk.solo
    ? t('divercity.moves.yours')
    : t('divercity.moves.now', { name });
}
