// Options, their values and the server's reasons in the player's language; what we have no words for stays as it is.
import { known, list, t, tk } from '../../i18n/index.svelte';
import type { Refused } from '../../model/options.svelte';
import type { GameId, Json, JsonObject, OptionInfo } from '../../net/types';

export const optionName = (game: GameId, o: OptionInfo): string =>
  known(`home.opt.${game}.${o.name}`) ? tk('home.opt.', `${game}.${o.name}`) : o.name;

export const optionAbout = (game: GameId, o: OptionInfo): string =>
  known(`home.say.${game}.${o.name}`) ? tk('home.say.', `${game}.${o.name}`) : o.about;

export function valueName(o: OptionInfo, value: Json): string {
  if (o.type === 'seat') return value === 'random' ? t('home.random') : t('home.seatN', { n: Number(value) + 1 });
  if (o.name === 'clock') {
    const s = Number(value);
    return s === 0 ? t('home.noClock') : s % 60 === 0 && s > 60 ? t('home.minutesN', { n: s / 60 }) : t('home.secondsN', { n: s });
  }
  const word = String(value);
  return known(`home.val.${o.name}.${word}`) ? tk('home.val.', `${o.name}.${word}`) : word;
}

const reasons: [RegExp, string][] = [
  [/^one diver alone needs the village chief/, 'alone'],
  [/^the children's version is without the village chief/, 'childrenChief'],
  [/^the children's version is without companions/, 'childrenCompanions'],
  [/^beginners play without diver cards/, 'beginners'],
  [/is the industrialist, and only a diver can begin$/, 'industrialistFirst'],
  [/^freediving is a level of the beginners' variant only/, 'freediving'],
  [/^a single diver has nobody to make signs to/, 'noPartner'],
];

export function why(refused: Refused): string {
  const found = reasons.find(([text]) => text.test(refused.message));
  return found ? tk('home.why.', found[1]) : refused.message;
}

/** What differs from a plain table, in chips: "Companions: Seven", "Flashlight". */
export function summary(game: GameId, info: OptionInfo[], options: JsonObject): string[] {
  return info.flatMap((o) => {
    const value = options[o.name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(o.default)) return [];
    const name = optionName(game, o);
    if (o.type === 'bool') return [name];
    if (o.type === 'seats')
      return options['companions'] === 'none' ? [] : [`${name}: ${list((value as number[]).map((s) => t('home.seatN', { n: s + 1 })))}`];
    return o.type === 'int' && o.name !== 'clock' ? [`${name}: ${String(value)}`] : [`${name}: ${valueName(o, value)}`];
  });
}
