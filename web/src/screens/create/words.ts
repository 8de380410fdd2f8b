// Options, their values and the server's reasons in the player's language; what we have no words for stays as it is.
import { known, list, pair, t, tk, tongue } from '../../i18n/index.svelte';
import { gameOf } from '../../model/game';
import { explainKeys } from '../../ui/refusal';
import type { Refused } from '../../model/options.svelte';
import type { GameId, Json, JsonObject, OptionInfo } from '../../net/types';

/** The message GAME.option.WHAT, if there is one. */
function optionText(game: GameId, what: string): string | undefined {
  const key = `${game}.option.${what}`;
  return known(key) ? tongue.text(key) : undefined;
}

export const optionName = (game: GameId, o: OptionInfo): string =>
  optionText(game, o.name) ?? o.name;

export const optionAbout = (game: GameId, o: OptionInfo): string =>
  optionText(game, `${o.name}.about`) ?? o.about;

/** What a value asks for, where there is something to say. */
export const valueAbout = (game: GameId, o: OptionInfo, value: Json): string | undefined =>
  optionText(game, `${o.name}.${String(value)}.about`);

export function valueName(game: GameId, o: OptionInfo, value: Json): string {
  if (o.type === 'seat')
    return value === 'random' ? t('home.random') : t('home.seatN', { n: Number(value) + 1 });
  if (o.name === 'clock') {
    const s = Number(value);
    return s === 0
      ? t('home.noClock')
      : s % 60 === 0 && s > 60
        ? t('home.minutesN', { n: s / 60 })
        : t('home.secondsN', { n: s });
  }
  const word = String(value);
  return optionText(game, `${o.name}.${word}`) ?? word;
}

/** The clearest water first; what we do not know comes last. */
const CLARITY = ['clear', 'reef', 'murky'];
export const byClarity = (waters: string[]): string[] => {
  const at = (w: string): number => (CLARITY.indexOf(w) + 1 || CLARITY.length + 1) - 1;
  return [...waters].sort((a, b) => at(a) - at(b));
};

export const waterName = (water: string): string =>
  known(`home.water.${water}`) ? tk('home.water.', water) : water;

export const why = (refused: Refused): string => explainKeys(refused);

/** What differs from a plain table, in chips: "Companions: Seven", "Flashlight". */
export function summary(game: GameId, info: OptionInfo[], options: JsonObject): string[] {
  return info.flatMap((o) => {
    const value = options[o.name];
    if (gameOf(game).tile.options.means?.(o.name, options) === false) return [];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(o.default)) return [];
    const name = optionName(game, o);
    if (o.type === 'bool') return [name];
    if (o.type === 'seats')
      return [pair(name, list((value as number[]).map((s) => t('home.seatN', { n: s + 1 }))))];
    return o.type === 'int' && o.name !== 'clock'
      ? [pair(name, String(value))]
      : [pair(name, valueName(game, o, value))];
  });
}
