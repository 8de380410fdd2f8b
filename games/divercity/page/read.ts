// The whole table in sentences, for those who listen: what is asked, how near the end is, the ladder, the hands.
import { list, t, tk, tn } from '$i18n/index.svelte';
import { deskOf, type Desk } from './desk.svelte';
import { headline } from './headline';
import { meters } from './model';
import { prompt } from './prompt';
import { stepText, stepWord, turnTitle } from './recount';
import { guesses } from './remark';
import { capital, colourName, inZone, speciesName, zoneName } from './text';
import { SPECIES, ZONES, type DiverCityTable, type DiverCityView } from './types';

function card(desk: Desk, view: DiverCityView, hand: number, i: number): string {
  const species = view.hands[hand]?.[i] ?? null;
  const claim = view.claims[hand]?.[i] ?? null;
  const note = desk.plays(hand) ? desk.note(hand, i) : null;
  const facts = [
    species ? `${speciesName(species)} ${inZone(view.ladder[species])}` : t('divercity.ear.down'),
    ...(claim ? [t('divercity.ear.says', { species: speciesName(claim) })] : []),
    ...(note ? [t('divercity.note.as', { cards: guesses(note, view) })] : []),
    ...(desk.tellsKnown(hand)
      ? [view.told[hand]?.[i] ? t('divercity.knows.yes') : t('divercity.knows.no')]
      : []),
  ];
  return t('divercity.ear.card', { n: i + 1, what: facts.join(', ') });
}

function hands(desk: Desk, view: DiverCityView): string[] {
  return view.hands.flatMap((cards, hand) => {
    const all = cards.map((_, i) => card(desk, view, hand, i)).join('; ');
    if (cards.length === 0) return [];
    return desk.hand === hand
      ? [t('divercity.ear.mine', { cards: all })]
      : [t('divercity.ear.hand', { name: desk.who(hand), cards: all })];
  });
}

export function read(table: DiverCityTable): string[] {
  const desk = deskOf(table);
  const view = desk.view;
  if (view === null) return [];
  const turn = desk.turns.at(-1);
  const done = turn?.steps.map((step) =>
    [stepWord(step), stepText(step, turn, desk)].filter((w) => w !== null).join(': '),
  );
  const zones = ZONES.flatMap((zone) => {
    const there = SPECIES.filter((s) => view.ladder[s] === zone).map(speciesName);
    if (there.length === 0) return [];
    return [t('divercity.ear.zone', { zone: capital(zoneName(zone)), species: list(there) })];
  });
  const hotels = view.hotels.map(colourName);
  return [
    prompt(desk, view) ?? headline(desk, view),
    ...(turn && done ? [[turnTitle(turn, view.phase !== 'over', desk), ...done].join('. ')] : []),
    ...meters(view).map((m) =>
      t('divercity.ear.meter', {
        what: tk('divercity.meter.', m.kind),
        n: t('divercity.meter.of', { n: m.value, of: m.of }),
      }),
    ),
    `${view.species_deck} ${tn('divercity.meter.left', view.species_deck)}`,
    ...zones,
    t('divercity.ear.hotels', {
      hotels: hotels.length > 0 ? list(hotels) : t('divercity.ear.none'),
    }),
    ...hands(desk, view),
  ];
}
