// One player's side of the table: what is picked up, which place is looked at, and what that would lead to.
import { t } from '$i18n/index.svelte';
import { words } from '$model/words.svelte';
import type { SoumTable } from './types';
import { Ask } from './ask.svelte';
import {
  card,
  cardAt,
  type Change,
  changes,
  gains,
  hits,
  lies,
  mayDive,
  mayPlace,
  mayTake,
  onlyPass,
  type Place,
  placeOf,
  tokenAt,
  atOf,
  zonePlaces,
} from './model';
import { refused } from '$ui/refusal';
import { type Do, type SoumView } from './types';

/** Why nothing happens, shown and spoken. */
function hint(text: string): void {
  words.show(text);
  words.say(text);
}

export class Play {
  /** The picked card of the hand. */
  chosen = $state<number | null>(null);
  /** The place that is looked at. */
  spot = $state<Place | null>(null);
  /** The picked card of the market. */
  taking = $state<number | null>(null);
  /** What was sent and is not in a view yet. */
  sent = $state.raw<Do | null>(null);
  /** Divers whose worth the last change changed, and what it laid. */
  fresh = $state.raw<Set<Place>>(new Set());
  private before: SoumView | null = null;
  private readonly ask: Ask;

  constructor(private readonly table: SoumTable) {
    this.ask = new Ask(table);
  }

  /** It is this page's turn to say something. */
  private asked = $derived.by(
    () =>
      this.table.me !== null &&
      this.table.state !== 'replay' &&
      this.table.state !== 'closed' &&
      (this.table.view?.legal ?? []).length > 0,
  );
  /** Nothing can be decided: without divers left the step answers itself. */
  private forced = $derived.by(
    () => this.asked && this.table.view !== null && onlyPass(this.table.view),
  );
  /** This page may decide something now. */
  acting = $derived.by(() => this.asked && !this.forced);
  step = $derived.by(() => (this.acting ? (this.table.view?.phase ?? 'over') : null));

  /** The card in hand, as text. */
  held = $derived.by(() =>
    this.chosen === null ? null : (this.table.view?.hand?.[this.chosen] ?? null),
  );

  /** Where something can be done now. */
  open = $derived.by<Set<Place>>(() => {
    const v = this.table.view;
    if (v === null || this.sent !== null) return new Set();
    if (this.step === 'diver') return mayDive(v);
    if (this.step === 'place') return mayPlace(v, this.chosen ?? 0);
    return new Set();
  });

  /** A card that would lie on the place looked at. */
  ghost = $derived.by(() => {
    const v = this.table.view;
    if (this.sent?.do === 'place' && v?.hand) {
      const text = v.hand[this.sent.card];
      return text === undefined ? null : { place: placeOf(this.sent.at), card: text };
    }
    if (
      this.step !== 'place' ||
      this.held === null ||
      this.spot === null ||
      !this.open.has(this.spot)
    )
      return null;
    return { place: this.spot, card: this.held };
  });

  /** The moves that the preview asks about. */
  private question = $derived.by<Do[] | null>(() => {
    const v = this.table.view;
    const me = this.table.me;
    if (v === null || me === null || !this.acting || this.sent !== null || this.spot === null)
      return null;
    const at = atOf(this.spot);
    if (this.step === 'place' && this.chosen !== null && this.open.has(this.spot)) {
      const place: Do = { do: 'place', card: this.chosen, at };
      return (v.tokens_left[me] ?? 0) > 0 ? [place, { do: 'diver', at }] : [place];
    }
    return this.step === 'diver' && this.open.has(this.spot) ? [{ do: 'diver', at }] : null;
  });

  /** What the previewed move leads to; undefined: not known yet. */
  then = $derived.by(() => (this.question === null ? undefined : this.ask.answer(this.question)));

  /** What a diver on the place looked at would be worth. */
  here = $derived.by(() =>
    this.then === undefined || this.spot === null
      ? undefined
      : tokenAt(this.then, this.spot)?.worth,
  );

  changed = $derived.by<Change[]>(() => {
    const v = this.table.view;
    return v === null || this.then === undefined || this.step !== 'place'
      ? []
      : changes(v, this.then);
  });
  change = $derived(new Map(this.changed.map((c) => [c.place, c])));
  gain = $derived(gains(this.changed));

  /** The card whose zone is shown. */
  private looked = $derived.by(() => {
    const v = this.table.view;
    if (v === null || this.spot === null) return null;
    return this.ghost?.place === this.spot ? card(this.ghost.card) : cardAt(v, this.spot);
  });
  zone = $derived.by(
    () =>
      new Set(
        this.looked === null || this.spot === null ? [] : zonePlaces(this.looked.zone, this.spot),
      ),
  );
  hit = $derived.by(() => {
    const v = this.table.view;
    return new Set(
      v === null || this.looked === null || this.spot === null
        ? []
        : hits(v, this.spot, this.looked),
    );
  });

  /** In the diver step: what a diver is worth on each free card. In the place step: on the ghost. */
  worth = $derived.by(() => {
    const map = new Map<Place, number>();
    if (this.step === 'diver')
      for (const p of this.open) {
        const then = this.ask.answer([{ do: 'diver', at: atOf(p) }]);
        const n = then === undefined ? undefined : tokenAt(then, p)?.worth;
        if (n !== undefined) map.set(p, n);
      }
    else if (this.ghost !== null && this.here !== undefined) map.set(this.ghost.place, this.here);
    return map;
  });

  /** To be called in effects of the board. */
  watch(): void {
    $effect(() => this.follow(this.table.view));
    $effect(() => {
      const question = this.question;
      if (question === null || this.table.state === 'lost') return;
      const soon = setTimeout(() => this.ask.want(question, true), 50); // a pointer that only passes asks nothing
      return () => clearTimeout(soon);
    });
    $effect(() => {
      if (this.step !== 'diver' || this.table.state === 'lost') return;
      for (const p of this.open) this.ask.want([{ do: 'diver', at: atOf(p) }]);
    });
    $effect(() => {
      if (this.forced && this.sent === null) void this.act({ do: 'pass' });
    });
    $effect(() => () => this.ask.stop());
  }

  /** A new view: what was picked is put down where it no longer makes sense. */
  private follow(view: SoumView | null): void {
    const before = this.before;
    if (view === null || before?.seq === view.seq) return;
    this.before = view;
    this.sent = null;
    this.taking = null;
    const laid = this.table.events
      .filter((e) => e['event'] === 'placed' || e['event'] === 'dived')
      .map((e) => placeOf(e['at'] as [number, number]));
    this.fresh = new Set(
      before === null ? [] : [...laid, ...changes(before, view).map((c) => c.place)],
    );
    const mine = this.table.events.some(
      (e) => e['event'] === 'placed' && e['seat'] === this.table.me,
    );
    if (mine || (this.chosen ?? 0) >= (view.hand?.length ?? 0)) this.chosen = null;
    if (view.phase === 'diver' && view.active === this.table.me) this.spot = laid[0] ?? this.spot;
    else if (before?.active === this.table.me) this.spot = null; // one's own step is done
  }

  async act(action: Do): Promise<void> {
    if (this.sent !== null) return;
    this.sent = action;
    try {
      await this.table.act(action);
    } catch (e) {
      this.sent = null;
      refused(e);
    }
  }

  choose(i: number): void {
    const v = this.table.view;
    if (v?.hand?.[i] === undefined || this.sent !== null) return;
    this.chosen = this.chosen === i ? null : i;
  }

  look(place: Place): void {
    if (this.sent === null) this.spot = place;
  }

  /** A place was clicked, tapped or entered; on touch that only shows, and a button does it. */
  pick(place: Place, by: 'mouse' | 'touch' | 'key'): void {
    this.look(place);
    if (by === 'touch') return;
    this.go(by);
  }

  /** What the step asks for; the market is taken from by key only once a card is picked there. */
  go(by: 'mouse' | 'key' = 'key'): void {
    if (this.step === 'place') this.place();
    else if (this.step === 'diver') this.dive();
    else if (by === 'key') this.take();
  }

  place(): void {
    const v = this.table.view;
    if (v === null || this.step !== 'place') return;
    if (this.chosen === null) return hint(t('soumsoum.chooseFirst'));
    if (this.spot === null) return hint(t('soumsoum.wherePlace'));
    if (!this.open.has(this.spot))
      return hint(lies(v, this.spot) === 'sub' ? t('soumsoum.onSub') : t('soumsoum.taken'));
    void this.act({ do: 'place', card: this.chosen, at: atOf(this.spot) });
  }

  dive(): void {
    const v = this.table.view;
    if (v === null || this.step !== 'diver') return;
    if (this.spot === null) return hint(t('soumsoum.whereDive'));
    if (!this.open.has(this.spot))
      return hint(tokenAt(v, this.spot) ? t('soumsoum.diverThere') : t('soumsoum.noCardThere'));
    void this.act({ do: 'diver', at: atOf(this.spot) });
  }

  pass(): void {
    if (this.step === 'diver') void this.act({ do: 'pass' });
  }

  /** A card of the market was clicked or tapped. */
  pickMarket(i: number, by: 'mouse' | 'touch' | 'key'): void {
    const v = this.table.view;
    if (v === null || this.step !== 'take' || !mayTake(v).has(i)) return;
    this.taking = i;
    if (by !== 'touch') this.take();
  }

  take(): void {
    if (this.step !== 'take') return;
    if (this.taking === null) return hint(t('soumsoum.whichTake'));
    void this.act({ do: 'take', market: this.taking });
  }
}
