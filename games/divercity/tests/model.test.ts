// DiverCity's model: notes that travel with cards, steps of a turn, meters, one thing at a time.
import './rules';
import { describe, expect, it } from 'vitest';
import { copies, corporationsLeft, mostHotels, risk } from '../page/count';
import { help } from '../page/help';
import {
  beats,
  corporation,
  follow,
  gathered,
  gone,
  handOf,
  history,
  industrialist,
  meters,
  question,
  traces,
} from '../page/model';
import { lastTold, turns } from '../page/moves';
import {
  claimable,
  moved,
  noNotes,
  noteAt,
  readNotes,
  stillFit,
  toggled,
  travel,
  withNote,
  written,
} from '../page/notes';
import {
  SPECIES,
  type DiverCityEvent,
  type DiverCityView,
  type Species,
  type Zone,
} from '../page/types';

function view(more: Partial<DiverCityView> = {}): DiverCityView {
  return {
    seq: 1,
    game: 'divercity',
    phase: 'action',
    seat: 0,
    legal: [],
    active: 0,
    round: 1,
    to_save: 5,
    to_lose: 5,
    ladder: Object.fromEntries(SPECIES.map((s) => [s, 'blue'])) as Record<Species, Zone>,
    hotels: [],
    hands: [
      [null, null, null],
      ['crab', 'eel', 'oyster'],
      ['manta', 'manta', 'turtle'],
    ],
    claims: [
      [null, null, null],
      [null, 'eel', null],
      [null, null, null],
    ],
    species_deck: 51,
    species_discard: [],
    corporation_deck: 26,
    corporation_discard: [],
    corporation_open: null,
    told: [
      [false, false, false],
      [true, false, false],
      [false, false, false],
    ],
    diver_cards: [['endurance'], [], []],
    diver_used: [[], [], []],
    ...more,
  };
}

const drawn = (seat: number, card: number): DiverCityEvent => ({
  event: 'drew',
  seat,
  card,
  species: null,
});
const played = (seat: number, card: number, species: Species = 'crab'): DiverCityEvent => ({
  event: 'played',
  seat,
  card,
  species,
});

describe('notes travel with their cards', () => {
  it('a drawn card takes the place of the played one, without its note', () => {
    expect(travel(['a', 'b', 'c'], [played(0, 1), drawn(0, 1)], 0)).toEqual(['a', null, 'c']);
  });

  it('without a draw the cards behind move up, and their notes with them', () => {
    expect(travel(['a', 'b', 'c'], [played(0, 0)], 0)).toEqual(['b', 'c']);
    expect(
      travel(['a', null, 'c'], [{ event: 'rig', seat: 0, card: 1, species: 'eel' }], 0),
    ).toEqual(['a', 'c']);
  });

  it('rig and play in one change are two cards', () => {
    const events: DiverCityEvent[] = [
      { event: 'rig', seat: 0, card: 0, species: 'eel' },
      played(0, 1),
    ];
    expect(travel(['a', 'b', 'c', 'd'], events, 0)).toEqual(['b', 'd']);
  });

  it('what others do leaves them alone', () => {
    expect(
      travel(
        ['a', 'b'],
        [played(1, 0), drawn(1, 0), { event: 'moved', species: 'crab', from: 'blue', to: 'green' }],
        0,
      ),
    ).toEqual(['a', 'b']);
  });

  it('in solo each hand has its own', () => {
    const notes = withNote(withNote(noNotes(), 0, 0, { species: ['crab'], sure: true }), 1, 0, {
      species: ['eel'],
      sure: false,
    });
    const after = moved(
      notes,
      [
        { event: 'played', hand: 1, card: 0, species: 'eel' },
        { event: 'drew', hand: 1, card: 0, species: null },
      ],
      view({ round: 7 }),
    );
    expect(noteAt(after, 0, 0)).toEqual({ species: ['crab'], sure: true });
    expect(noteAt(after, 1, 0)).toBeNull();
    expect(after.round).toBe(7);
  });

  it('are kept as a short text, and what is not understood is no note', () => {
    const notes = withNote(noNotes(), 0, 2, { species: ['crab', 'eel'], sure: false });
    expect(readNotes(written(notes))).toEqual(notes);
    expect(written(notes).length).toBeLessThan(4000);
    for (const text of [
      '',
      'null',
      '[]',
      '{"hands":3}',
      '{"hands":{"0":["crab",{"species":["whale"]}]}}',
    ])
      expect(noteAt(readNotes(text), 0, 0)).toBeNull();
  });

  it('a guess has at most three species, and is struck out by naming it again', () => {
    let note = toggled(null, 'crab');
    note = toggled(note, 'eel');
    note = toggled(note, 'manta');
    note = toggled(note, 'oyster');
    expect(note).toEqual({ species: ['eel', 'manta', 'oyster'], sure: false });
    expect(toggled({ species: ['crab'], sure: true }, 'crab')).toBeNull();
  });

  it('are trusted after a pause only if no own turn was missed', () => {
    const notes = {
      ...withNote(noNotes(), 0, 0, { species: ['crab' as const], sure: true }),
      round: 4,
      gone: 6,
    };
    expect(
      stillFit(notes, view({ round: 5, active: 2, species_discard: Array(8).fill('eel') })),
    ).toBe(true);
    expect(
      stillFit(notes, view({ round: 6, active: 0, species_discard: Array(8).fill('eel') })),
    ).toBe(false);
    expect(
      stillFit(notes, view({ round: 6, active: 0, species_discard: Array(6).fill('eel') })),
    ).toBe(true);
  });
});

describe('B15 notes are claimed together', () => {
  it('those of one species that is not claimed already', () => {
    let notes = withNote(noNotes(), 0, 0, { species: ['crab'], sure: true });
    notes = withNote(notes, 0, 1, { species: ['eel', 'manta'], sure: false });
    notes = withNote(notes, 0, 2, { species: ['oyster'], sure: false });
    expect(claimable(notes, 0, [null, null, 'oyster'])).toEqual([{ card: 0, species: 'crab' }]);
    expect(claimable(notes, 0, ['eel', null, null])).toEqual([
      { card: 0, species: 'crab' },
      { card: 2, species: 'oyster' },
    ]);
    expect(claimable(notes, 1, [null, null, null])).toEqual([]);
  });
});

describe('B2 the last moves, turn by turn', () => {
  const events: DiverCityEvent[] = [
    { event: 'begins', seat: 1 },
    { event: 'turn', seat: 1 },
    { event: 'corporation', card: ['rig', 'hotels:red+blue'] },
    { event: 'rig', seat: 1, card: 0, species: 'eel' },
    { event: 'moved', species: 'eel', from: 'blue', to: 'red' },
    drawn(1, 0),
    { event: 'built', hotel: 'red' },
    { event: 'built', hotel: 'blue' },
    { event: 'walkie', seat: 1, target: 2, cards: ['manta', 'manta', 'turtle'] },
    { event: 'turn', seat: 2 },
    { event: 'corporation', card: ['boat'] },
    { event: 'boat', species: 'crab' },
    { event: 'played', seat: 2, card: 1, species: 'manta' },
    { event: 'moved', species: 'manta', from: 'blue', to: 'green' },
    { event: 'used', seat: 0, diver: 'endurance' },
    { event: 'moved', species: 'eel', from: 'red', to: 'blue' },
    { event: 'used', seat: 1, diver: 'captain' },
    { event: 'ordered', seat: 1, target: 0 },
  ];

  it('a card and the token that it moves are one step, and two hotels are one', () => {
    const [first, second] = turns(events, 8);
    expect(first).toMatchObject({
      n: 7,
      hand: 1,
      steps: [
        { what: 'rig', hand: 1, species: 'eel', from: 'blue', to: 'red' },
        { what: 'built', hotels: ['red', 'blue'] },
        { what: 'walkie', hand: 1, to: 2, signs: false },
      ],
    });
    expect(second?.steps).toEqual([
      { what: 'boat', hand: null, species: 'crab', from: null, to: null },
      { what: 'play', hand: 2, species: 'manta', from: 'blue', to: 'green' },
      { what: 'used', hand: 0, diver: 'endurance' },
      { what: 'lifted', species: 'eel', from: 'red', to: 'blue' },
      { what: 'ordered', hand: 1, to: 0 },
    ]);
  });

  it('say who told whom, and when', () => {
    expect(lastTold(turns(events, 8), 2)).toEqual({ by: 1, n: 7 });
    expect(lastTold(turns(events, 8), 1)).toBeNull();
  });

  it('what is known goes with its card, a walkie-talkie tells all of a hand, and used diver cards stay', () => {
    const then = follow(view(), [
      { event: 'used', seat: 0, diver: 'endurance' },
      { event: 'played', seat: 1, card: 0, species: 'crab' },
      drawn(1, 0),
      { event: 'walkie', seat: 1, target: 2, cards: [] },
    ]);
    expect(then.told).toEqual([
      [false, false, false],
      [false, false, false],
      [true, true, true],
    ]);
    expect([then.diver_cards[0], then.diver_used[0]]).toEqual([[], ['endurance']]);
  });
});

describe('the corporation card', () => {
  const rigAndHotels: DiverCityEvent[] = [
    { event: 'turn', seat: 0 },
    { event: 'corporation', card: ['rig', 'hotels:red+yellow'] },
  ];

  it('waits at the rig', () => {
    const c = corporation(
      view({ phase: 'rig', corporation_open: ['rig', 'hotels:red+yellow'] }),
      rigAndHotels,
      false,
    );
    expect(c?.steps.map((s) => s.state)).toEqual(['now', 'to-come']);
  });

  it('tells what each effect did', () => {
    const told: DiverCityEvent[] = [
      ...rigAndHotels,
      { event: 'rig', seat: 0, card: 1, species: 'eel' },
      { event: 'moved', species: 'eel', from: 'blue', to: 'red' },
      drawn(0, 1),
      { event: 'built', hotel: 'red' },
      { event: 'built', hotel: 'yellow' },
    ];
    const c = corporation(
      view({ corporation_discard: [['rig', 'hotels:red+yellow']] }),
      told,
      false,
    );
    expect(c?.steps.map((s) => [s.state, s.moved?.species ?? null, s.built])).toEqual([
      ['done', 'eel', []],
      ['done', null, ['red', 'yellow']],
    ]);
  });

  it('does not take the diver’s own move for its own', () => {
    const told: DiverCityEvent[] = [
      { event: 'turn', seat: 0 },
      { event: 'corporation', card: ['boat'] },
      { event: 'boat', species: 'crab' },
      played(0, 0, 'eel'),
      { event: 'moved', species: 'eel', from: 'blue', to: 'green' },
    ];
    expect(corporation(view({ phase: 'after' }), told, false)?.steps[0]).toMatchObject({
      species: 'crab',
      moved: null,
    });
  });

  it('beginners skip the upper of two effects', () => {
    const c = corporation(
      view({ phase: 'rig', corporation_open: ['boat', 'rig'] }),
      [{ event: 'corporation', card: ['boat', 'rig'] }],
      true,
    );
    expect(c?.steps.map((s) => s.state)).toEqual(['skipped', 'now']);
  });

  it('is told from the view alone after a reload, and is none while the industrialist chooses', () => {
    expect(corporation(view({ corporation_discard: [['boat']] }), [], false)?.steps[0]?.state).toBe(
      'done',
    );
    expect(
      corporation(view({ phase: 'industry', corporation_discard: [['boat']] }), [], false),
    ).toBeNull();
    expect(corporation(view({ phase: 'setup', corporation_discard: [] }), [], false)).toBeNull();
  });
});

describe('one thing at a time', () => {
  const events: DiverCityEvent[] = [
    played(1, 1, 'eel'),
    { event: 'moved', species: 'eel', from: 'blue', to: 'green' },
    { event: 'drew', seat: 1, card: 1, species: 'starfish' },
    { event: 'turn', seat: 2 },
    { event: 'corporation', card: ['boat', 'hotels:red+purple'] },
    { event: 'boat', species: 'manta' },
    { event: 'moved', species: 'manta', from: 'blue', to: 'red' },
    { event: 'built', hotel: 'red' },
    { event: 'built', hotel: 'purple' },
  ];

  it('a card and the token it moves are one beat, so are two hotels', () => {
    expect(beats(events).map((b) => b.map((e) => e.event))).toEqual([
      ['played', 'moved', 'drew'],
      ['turn', 'corporation'],
      ['boat', 'moved'],
      ['built', 'built'],
    ]);
  });

  it('the board follows beat by beat', () => {
    const [play, turn, boat, hotels] = beats(events) as [
      DiverCityEvent[],
      DiverCityEvent[],
      DiverCityEvent[],
      DiverCityEvent[],
    ];
    const one = follow(view(), play);
    expect([
      one.ladder.eel,
      one.hands[1],
      one.claims[1],
      one.species_deck,
      one.species_discard,
    ]).toEqual(['green', ['crab', 'starfish', 'oyster'], [null, null, null], 50, ['eel']]);
    const two = follow(one, turn);
    expect([two.active, two.corporation_open]).toEqual([2, ['boat', 'hotels:red+purple']]);
    const three = follow(two, boat);
    expect([three.ladder.manta, three.species_deck]).toEqual(['red', 49]);
    expect(follow(three, hotels).hotels).toEqual(['red', 'purple']);
    expect(one.hotels).toEqual([]);
  });

  it('C7 makes the boat pile of the discard, and dynamite takes its top card', () => {
    const before = view({ species_deck: 0, boat_pile: 0, species_discard: ['eel', 'crab'] });
    const made = follow(before, [{ event: 'reshuffled', pile: 'species' }]);
    expect([made.boat_pile, made.species_discard]).toEqual([2, []]);
    const hit = follow(made, [{ event: 'boat', species: 'eel' }]);
    expect([hit.boat_pile, hit.species_discard, hit.species_deck]).toEqual([1, ['eel'], 0]);
  });

  it('from an empty pile nothing is drawn and the hand closes up', () => {
    expect(follow(view({ species_deck: 0 }), [played(1, 0)]).hands[1]).toEqual(['eel', 'oyster']);
  });

  it('a ghost stands where a token was at first; one that came back leaves none', () => {
    const there: DiverCityEvent = { event: 'moved', species: 'crab', from: 'blue', to: 'red' };
    const back: DiverCityEvent = { event: 'moved', species: 'crab', from: 'red', to: 'blue' };
    expect([
      ...traces([there, { event: 'moved', species: 'crab', from: 'red', to: 'extinct' }]).moved,
    ]).toEqual([['crab', 'blue']]);
    expect(traces([there, back]).moved.size).toBe(0);
    expect([
      ...traces([
        { event: 'built', hotel: 'red' },
        { event: 'unbuilt', hotel: 'red' },
      ]).built,
    ]).toEqual([]);
  });

  it('the course of a game counts species by zone after each turn', () => {
    const points = history([{ event: 'turn', seat: 0 }, ...events]);
    expect(points.map((p) => [p.green, p.blue, p.red])).toEqual([
      [0, 12, 0],
      [1, 11, 0],
      [1, 10, 1],
    ]);
  });
});

describe('what the view asks and says', () => {
  it('the question follows from phase and legal actions', () => {
    expect(question(view())).toBe('wait');
    expect(question(view({ legal: [{ do: 'play', card: 0 }] }))).toBe('action');
    expect(question(view({ phase: 'rig', legal: [{ do: 'rig', card: 0 }] }))).toBe('rig');
    expect(question(view({ phase: 'captain', legal: [{ do: 'play', card: 0 }] }))).toBe('captain');
    expect(question(view({ phase: 'visionary', looked_at: [['rig']] }))).toBe('visionary');
    expect(question(view({ phase: 'visionary' }))).toBe('wait');
    expect(question(view({ phase: 'after', legal: [{ do: 'diver', use: 'explorer' }] }))).toBe(
      'wait',
    );
    expect(question(view({ phase: 'over' }))).toBe('over');
  });

  it('whose hand is mine: the own one, in solo the active or ordered one, none for industrialist and spectator', () => {
    expect(handOf(view(), 1, false)).toBe(1);
    expect(handOf(view(), 3, false)).toBeNull();
    expect(handOf(view(), null, false)).toBeNull();
    expect(handOf(view({ active: 1 }), 0, true)).toBe(1);
    expect(handOf(view({ phase: 'captain', active: 1, ordered: 0 }), 0, true)).toBe(0);
    expect(handOf(view({ active: 1 }), 1, true)).toBeNull();
    expect(industrialist({ divers: 4, industrialist: true })).toBe(4);
    expect(industrialist({ divers: 4 })).toBeNull();
  });

  it('meters say when one more step ends the game', () => {
    const v = view({ hotels: ['red', 'green', 'purple', 'yellow', 'blue'], to_lose: 2 });
    v.ladder.crab = 'extinct';
    v.ladder.eel = 'saved';
    expect(meters(v)).toEqual([
      { kind: 'saved', value: 1, of: 5, near: 0 },
      { kind: 'extinct', value: 1, of: 2, near: 1 },
      { kind: 'hotels', value: 5, of: 6, near: 1 },
    ]);
  });

  it('discards are counted', () => {
    expect(gone(view({ species_discard: ['crab', 'eel', 'crab'] }))).toMatchObject({
      crab: 2,
      eel: 1,
      manta: 0,
    });
    expect(gathered([['rig'], ['boat'], ['rig']])).toEqual([
      { card: ['rig'], n: 2 },
      { card: ['boat'], n: 1 },
    ]);
  });
});

describe('help for this moment', () => {
  it('names the rules of what is asked, with one’s own diver card', () => {
    expect(help(view({ legal: [{ do: 'play', card: 0 }] }))).toEqual(
      expect.arrayContaining(['action', 'play', 'walkie', 'close', 'diver-endurance']),
    );
    expect(help(view({ phase: 'rig', corporation_open: ['rig', 'boat'] })).slice(0, 2)).toEqual([
      'rig',
      'boat',
    ]);
    expect(help(view({ seat: 3, industry_hand: [['rig']] }))[0]).toBe('industrialist');
    expect(
      help(view({ signs: [[null], [null], [null]], legal: [{ do: 'walkie', target: 1 }] })),
    ).toContain('realistic');
  });
});

describe('counting cards', () => {
  it('of each species those gone, in sight and unseen', () => {
    const all = copies(view({ species_discard: ['crab', 'crab', 'eel'] }));
    expect(all.crab).toEqual({ gone: 2, inSight: 1, unseen: 2 });
    expect(all.manta).toEqual({ gone: 0, inSight: 2, unseen: 3 });
    expect(all.octopus).toEqual({ gone: 0, inSight: 0, unseen: 5 });
  });

  const unseen = [['rig'], ['boat', 'hotels:green+blue'], ['hotels:blue+yellow']];

  it('of the corporation cards that lie face down each kind of effect, without my own hand', () => {
    const v = view({ corporation_unseen: unseen });
    expect(corporationsLeft(v, false)).toEqual({ cards: 3, rig: 1, boat: 1, hotels: 2 });
    expect(corporationsLeft(v, true)).toEqual({ cards: 3, rig: 1, boat: 0, hotels: 2 });
    expect(corporationsLeft({ ...v, industry_hand: [['rig']] }, false).cards).toBe(2);
  });

  it('B13 warns from four hotels on, when one card builds the last two', () => {
    const four = view({
      corporation_unseen: unseen,
      hotels: ['red', 'purple', 'yellow', 'orange'],
    });
    expect(risk(four, false)).toEqual({ missing: ['green', 'blue'], cards: 1, of: 3 });
    expect(meters(four, mostHotels(four)).find((m) => m.kind === 'hotels')?.near).toBe(2);
    const five = { ...four, hotels: [...four.hotels, 'green' as const] };
    expect(risk(five, false)).toEqual({ missing: ['blue'], cards: 2, of: 3 });
    expect(risk({ ...four, hotels: ['red'] }, false)).toBeNull();
  });
});
