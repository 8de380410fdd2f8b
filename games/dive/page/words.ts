// Dive in sentences: events, levels of a dive, the result, refusals, and which rules help when.
import { list, t, tk, tn } from '$i18n/index.svelte';
import type { NameOf } from '$model/game';
import { art } from './art';
import type { Rest, Step, Story } from './story';
import { isDeep, rules } from './numbers';
import {
  hasShark,
  helperOf,
  type DiveEvent,
  type DiveView,
  type Move,
  type Sheet,
  type Who,
} from './types';

/** A name as it begins a sentence, or stands alone. */
export const whoName = (who: Who, name: NameOf): string =>
  who === 'chief' ? t('dive.chief') : name(who);

/** A name within a sentence: "the chief". */
export const theName = (who: Who, name: NameOf): string =>
  who === 'chief' ? t('dive.thechief') : name(who);

/** "Ana, Bram and the chief", at the beginning of a sentence. */
export const whoNames = (whos: Who[], name: NameOf): string =>
  list(whos.map((who, i) => (i === 0 ? whoName(who, name) : theName(who, name))));

/** "No shark, a red turtle" */
export function sheetText(sheet: Sheet): string {
  const helper = helperOf(sheet);
  const shark = hasShark(sheet) ? t('dive.sheet.shark') : t('dive.sheet.clear');
  return helper === null
    ? shark
    : t('dive.sheet.both', { shark, helper: tk('dive.sheet.with.', helper) });
}

export const faceText = (shark: boolean): string => (shark ? t('dive.shark') : t('dive.clear'));
export const zoneText = (space: number): string =>
  isDeep(space) ? t('dive.zone.deep') : t('dive.zone.tranquil');

/** "red turtle +2", "manta to 15", "green turtle −1" */
export function helperText(move: Pick<Move, 'why' | 'from' | 'to'>): string {
  const by = move.to - move.from;
  const helper = tk('dive.helper.', move.why);
  if (move.why === 'manta')
    return by === 0 ? t('dive.help.none', { helper }) : t('dive.help.manta', { to: move.to });
  return by === 0 ? t('dive.help.none', { helper }) : t('dive.help.by', { helper, by: signed(by) });
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0');

/** `me` is the seat that reads it, if it is one. */
function helpedText(step: Step, move: Move, me: Who | null, name: NameOf): string {
  const mine = move.seat === me;
  const who = whoName(move.seat, name);
  const helper = tk('dive.thehelper.', move.why);
  const rivals = step.calls.filter((c) => c.right && c.who !== move.seat).map((c) => c.speed);
  const speed = step.calls.find((c) => c.who === move.seat)?.speed ?? 0;
  const against = { speed, other: Math.max(...rivals) };
  const alone = mine ? t('dive.tell.aloneyou') : t('dive.tell.alone', { who });
  const fastest = mine
    ? t('dive.tell.fastestyou', against)
    : t('dive.tell.fastest', { who, ...against });
  const said = { fast: rivals.length === 0 ? alone : fastest, helper };
  if (move.to === move.from) return t('dive.tell.unmoved', said);
  const to = { ...said, to: move.to };
  if (move.to > move.from) return mine ? t('dive.tell.helpedyou', to) : t('dive.tell.helped', to);
  return mine ? t('dive.tell.pulledyou', to) : t('dive.tell.pulled', to);
}

function tieText(tied: Who[], me: Who | null, name: NameOf): string {
  const others = tied.filter((who) => who !== me);
  const who = whoNames(others, name);
  return others.length < tied.length ? t('dive.tell.tieyou', { who }) : t('dive.tell.tie', { who });
}

/** What a mistake costs, as it stands under a name. */
export function costText(story: Story, step: Step, who: Who): string {
  if (story.children) return t('dive.stage.miss');
  const keeps = story.keeps.get(who) ?? 0;
  if (isDeep(step.before.get(who) ?? 0)) return t('dive.stage.lostall');
  return keeps > 0 ? tn('dive.stage.keeps', keeps) : t('dive.stage.keepsnone');
}

/** "Chloé is wrong.", "You and Chloé are wrong.": `me` is the seat that reads it, if it is one. */
function wrongText(wrong: Who[], me: Who | null, name: NameOf): string {
  const others = wrong.filter((who) => who !== me).map((who) => whoName(who, name));
  const who = list(others);
  if (others.length === wrong.length) return tn('dive.stage.wrong', wrong.length, { who });
  return others.length === 0 ? t('dive.stage.youwrong') : t('dive.stage.youtoo', { who });
}

/** "It’s a shark. Chloé is wrong." in two parts. */
export function verdictText(
  step: Step,
  me: Who | null,
  name: NameOf,
): { head: string; text: string } {
  const wrong = step.calls.filter((c) => !c.right).map((c) => c.who);
  const said = step.calls.some((c) => c.who !== 'chief');
  return {
    head: hasShark(step.card) ? t('dive.stage.shark') : t('dive.stage.clear'),
    text: wrong.length > 0 ? wrongText(wrong, me, name) : said ? t('dive.stage.allright') : '',
  };
}

/** What else there is to say at the end of a level: who is helped, who ties, what a bubble covers. */
export function outcomeText(story: Story, step: Step, me: Who | null, name: NameOf): string {
  const out: string[] = [];
  if (step.helped !== null) out.push(helpedText(step, step.helped, me, name));
  if (step.tie.length > 0) out.push(tieText(step.tie, me, name));
  for (const [level, since] of story.bubbles)
    if (since === step.level) out.push(t('dive.tell.bubble', { level }));
  return out.join(' ');
}

/** The remark of a diver at Rest. */
export function remark(
  rest: Rest,
  start: number,
  name: NameOf,
): { text: string; bad: boolean } | null {
  if (rest.axolotl !== null)
    return { text: t('dive.remark.axolotl', { to: rest.axolotl.to }), bad: true };
  if (rest.heldBy !== null)
    return { text: t('dive.remark.held', { who: name(rest.heldBy) }), bad: true };
  if (rest.wrong !== null)
    return {
      text: rest.wrong.deep
        ? t('dive.remark.wrongdeep', { level: rest.wrong.level })
        : t('dive.remark.wrong', { level: rest.wrong.level }),
      bad: true,
    };
  if (rest.to >= rules.goal) return { text: t('dive.remark.goal'), bad: false };
  if (!isDeep(start) && isDeep(rest.to)) return { text: t('dive.remark.deep'), bad: false };
  if (rest.noCard) return { text: t('dive.remark.nocard'), bad: false };
  return null;
}

/* ---- events ---- */

export function say(e: DiveEvent, name: NameOf): string | null {
  const who = 'seat' in e ? whoName(e.seat, name) : '';
  switch (e.event) {
    case 'chose':
      return t('dive.say.chose', { companion: tk('dive.companion.', e.companion) });
    case 'companion':
      return t('dive.say.companion', { who, companion: tk('dive.companion.', e.companion) });
    case 'choose-again':
      return t('dive.say.again', { who, companion: tk('dive.thecompanion.', e.companion) });
    case 'left':
      return t('dive.say.left', { companion: tk('dive.companion.', e.companion) });
    case 'round':
      return t('dive.say.round', { n: e.round });
    case 'ready':
      return t('dive.say.ready', { who });
    case 'unready':
      return t('dive.say.unready', { who });
    case 'breathed':
      return t('dive.say.breathed', { who });
    case 'used':
      return e.companion === 'dolphins'
        ? t('dive.say.dolphins', { who, target: name(e.target ?? 0) })
        : t('dive.say.used', {
            who,
            companion: tk('dive.thecompanion.', e.companion),
            effect: tk('dive.effect.', e.companion),
          });
    case 'stopped':
      return e.why === 'orca' ? t('dive.say.stoppedorca') : t('dive.say.stoppedclock');
    case 'chief-card':
      return t('dive.say.chiefcard', { numbers: e.speeds.join(', ') });
    case 'bubble':
      return t('dive.tell.bubble', { level: e.level });
    case 'card':
      return t('dive.say.card', { level: e.level, sheet: sheetText(e.card) });
    case 'right':
      return t('dive.tell.right', { who });
    case 'wrong':
      return e.keeps > 0
        ? t('dive.say.wrong', { who, keeps: tn('dive.tell.keeps', e.keeps) })
        : t('dive.say.wrong', { who, keeps: t('dive.tell.keepsnone') });
    case 'helped':
      return t('dive.say.helped', {
        who,
        help: helperText({ why: e.helper, from: e.from, to: e.to }),
        to: e.to,
      });
    case 'no-card':
      return t('dive.say.nocard', { who: theName(e.seat, name), level: e.level });
    case 'held':
      return t('dive.say.held', { who, by: name(e.by) });
    case 'moved':
      return e.to === e.from
        ? t('dive.say.stays', { who, to: e.to })
        : tk('dive.say.moved.', e.why, {
            who: e.why === 'rest' ? who : theName(e.seat, name),
            from: e.from,
            to: e.to,
          });
    case 'asked':
      return t('dive.say.asked', { who });
    case 'declined':
      return t('dive.say.declined', { who });
    case 'ended':
      return e.reason === 'stone' ? t('dive.say.endedstone') : t('dive.say.endedstack');
    default:
      return null; /* one's own plan is seen, what was shown is told level by level */
  }
}

/** "Ana wins, on 24" */
export function verdict(v: DiveView, name: NameOf): string {
  const result = v.result;
  if (!result) return '';
  const winners = result.winners.map((w) => whoName(w, name));
  const first = result.winners[0];
  const space =
    first === undefined ? 0 : first === 'chief' ? (v.chief ?? 0) : (v.pawns[first] ?? 0);
  if (result.draw) return t('dive.verdict.draw', { who: list(winners), space });
  if (result.shared && winners.length > 1)
    return t('dive.verdict.shared', { who: list(winners), space });
  return t('dive.verdict.wins', { who: winners[0] ?? '', space });
}

/** Sections of the rules for this moment. */
export function help(v: DiveView): string[] {
  const mine = v.seat === null || v.seat === undefined ? null : v.companions[v.seat];
  const own = mine ? [`companion-${mine}`] : [];
  if (v.phase === 'setup') return ['companions', ...(v.choice ? [`companion-${v.choice}`] : [])];
  if (v.phase === 'axolotl') return ['companion-axolotl', 'rest', 'end'];
  if (v.phase === 'over') return ['end', 'rest'];
  return [
    ...v.announced.map((a) => `companion-${a.companion}`),
    ...(v.announced.some((a) => a.companion === 'orca' || a.companion === 'fugu')
      ? ['stopped']
      : []),
    ...(v.children ? ['children'] : []),
    'program',
    'mistake',
    'helpers',
    ...own.filter((s) => !v.announced.some((a) => `companion-${a.companion}` === s)),
    ...(v.chief === null ? [] : ['chief']),
    ...(v.flashlight ? ['flashlight'] : []),
    ...(v.deadline === null ? [] : ['clock']),
    'dive',
    'rest',
  ];
}

/** The drawing of who has won. */
export function hero(view: DiveView): string {
  const first = view.result?.winners[0] ?? 0;
  return art(first === 'chief' ? 'chief' : `diver-pawn-${first + 1}`);
}
