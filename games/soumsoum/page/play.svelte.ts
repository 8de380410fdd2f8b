// One player's side of the table: what is picked up, which place is looked at, what that would lead to, and what is done.
// A click or a tap only shows; a button or Enter does it. A card that was laid waits on this page until the diver's step is
// decided, and can be taken back until then: what the server has is told to everybody and stands.
import { t } from '$i18n/index.svelte';
import type { SoumTable } from './types';
import { Ask } from './ask.svelte';
import {
  card,
  cardAt,
  type Change,
  changed,
  changes,
  gains,
  hits,
  laidSince,
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

type By = 'mouse' | 'touch' | 'key';
type Laid = Extract<Do, { do: 'place' }>;

/** Whoever clicks twice means once: a new step listens after this many ms. */
const SETTLE_MS = 400;

export class Play {
  /** The picked card of the hand. */
  chosen = $state<number | null>(null);
  /** The place that was clicked, tapped or reached with keys; the pointer may go where it likes. */
  pinned = $state<Place | null>(null);
  /** The place below the mouse: it counts while none is pinned. */
  private hovered = $state<Place | null>(null);
  /** The picked card of the market. */
  taking = $state<number | null>(null);
  /** The card that was laid and is not sent yet. */
  laid = $state.raw<Laid | null>(null);
  /** What was sent and is not in a view yet, in order. */
  sent = $state.raw<Do[] | null>(null);
  /** Why nothing happened. */
  why = $state('');
  /** The step has just changed. */
  settling = $state(false);
  private followed: SoumView | null = null;
  private readonly ask: Ask;

  constructor(private readonly table: SoumTable) {
    this.ask = new Ask(table);
  }

  /** What is on its way to the diver's step, for questions and for sending. */
  private first = $derived<Do[]>(this.laid === null ? [] : [this.laid]);
  /** The table after the laid card, as the server would have it; undefined: not known yet. */
  private after = $derived.by(() => (this.laid === null ? undefined : this.ask.answer(this.first)));
  /** The table as this page shows it. */
  view = $derived.by<SoumView | null>(() => this.after ?? this.table.view);

  /** It is this page's turn to say something. */
  private asked = $derived.by(
    () =>
      this.table.me !== null &&
      this.table.state !== 'replay' &&
      this.table.state !== 'closed' &&
      (this.laid === null || this.after !== undefined) &&
      (this.view?.legal ?? []).length > 0,
  );
  /** Nothing can be decided: without divers left the step answers itself. */
  private forced = $derived.by(() => this.asked && this.view !== null && onlyPass(this.view));
  /** This page may decide something now. */
  acting = $derived.by(() => this.asked && !this.forced);
  step = $derived.by(() => (this.acting ? (this.view?.phase ?? 'over') : null));
  /** Nothing is done just now: something is on its way, or the step is too new to be meant. */
  busy = $derived(this.sent !== null || this.settling);

  /** The place that is looked at. */
  spot = $derived(this.pinned ?? this.hovered);

  /** The card in hand, as text. */
  held = $derived.by(() =>
    this.chosen === null ? null : (this.view?.hand?.[this.chosen] ?? null),
  );

  /** Where something can be done now. */
  open = $derived.by<Set<Place>>(() => {
    const v = this.view;
    if (v === null || this.sent !== null) return new Set();
    if (this.step === 'diver') return mayDive(v);
    if (this.step === 'place') return mayPlace(v, this.chosen ?? 0);
    return new Set();
  });

  /** A card that would lie on the place looked at, or that was sent there. */
  ghost = $derived.by(() => {
    const v = this.view;
    const sent = this.sent?.[0];
    if (sent?.do === 'place') {
      const text = v?.hand?.[sent.card];
      const place = placeOf(sent.at);
      return text === undefined || v === null || lies(v, place) !== null
        ? null
        : { place, card: text };
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
    const v = this.view;
    const me = this.table.me;
    if (v === null || me === null || !this.acting || this.sent !== null || this.spot === null)
      return null;
    const at = atOf(this.spot);
    if (this.step === 'place' && this.chosen !== null && this.open.has(this.spot)) {
      const place: Do = { do: 'place', card: this.chosen, at };
      return (v.tokens_left[me] ?? 0) > 0 ? [place, { do: 'diver', at }] : [place];
    }
    return this.step === 'diver' && this.open.has(this.spot)
      ? [...this.first, { do: 'diver', at }]
      : null;
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
    const v = this.view;
    return v === null || this.then === undefined || this.step !== 'place'
      ? []
      : changes(v, this.then);
  });
  change = $derived(new Map(this.changed.map((c) => [c.place, c])));
  gain = $derived(gains(this.changed));

  /** The card whose zone is shown. */
  private looked = $derived.by(() => {
    const v = this.view;
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
    const v = this.view;
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
        const then = this.ask.answer([...this.first, { do: 'diver', at: atOf(p) }]);
        const n = then === undefined ? undefined : tokenAt(then, p)?.worth;
        if (n !== undefined) map.set(p, n);
      }
    else if (this.ghost !== null && this.here !== undefined) map.set(this.ghost.place, this.here);
    return map;
  });

  /** What the last change laid, and the divers whose worth it changed. One's own card lay there already. */
  fresh = $derived.by(() => {
    const marks = changed(this.table.previous, this.table.view, this.table.events);
    if (this.table.state !== 'replay')
      for (const e of this.table.events)
        if (e['event'] === 'placed' && e['seat'] === this.table.me)
          marks.delete(placeOf(e['at'] as [number, number]));
    return marks;
  });

  /** What the others laid since one's own last turn; it is marked until one chooses a card. */
  since = $derived.by(() =>
    this.step === 'place' && this.held === null ? laidSince(this.table.told, this.table.me) : [],
  );
  recent = $derived(new Set(this.since.map((laid) => laid.place)));

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
      if (this.laid !== null && this.table.state !== 'lost') this.ask.want(this.first, true);
    });
    $effect(() => {
      if (this.step !== 'diver' || this.table.state === 'lost') return;
      for (const p of this.open) this.ask.want([...this.first, { do: 'diver', at: atOf(p) }]);
    });
    $effect(() => {
      if (this.forced && this.sent === null) void this.send({ do: 'pass' });
    });
    $effect(() => {
      if (this.step === null && this.laid === null) return;
      this.settling = true;
      const timer = setTimeout(() => (this.settling = false), SETTLE_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => () => this.ask.stop());
  }

  /** A new view: what was picked is put down where it no longer makes sense. */
  private follow(view: SoumView | null): void {
    const before = this.followed;
    if (view === null || before?.seq === view.seq) return;
    this.followed = view;
    this.laid = null;
    this.taking = null;
    this.why = '';
    const mine = this.table.events.find(
      (e) => e['event'] === 'placed' && e['seat'] === this.table.me,
    );
    if (mine || (this.chosen ?? 0) >= (view.hand?.length ?? 0)) this.chosen = null;
    if (this.sent !== null && this.sent.length > 1) return; // the rest of it is still to come
    if (mine && view.phase === 'diver') this.pinned = placeOf(mine['at'] as [number, number]);
    else if (before?.active === this.table.me) this.unpin(); // one's own step is done
  }

  /** Sends a move, and before it the card that was laid. */
  private async send(action: Do): Promise<void> {
    if (this.sent !== null) return;
    this.sent = [...this.first, action];
    try {
      for (let left = this.sent; left[0] !== undefined; left = left.slice(1)) {
        this.sent = left;
        await this.table.act(left[0]);
      }
    } catch (e) {
      this.laid = null;
      refused(e);
    } finally {
      this.sent = null;
    }
  }

  private hint(text: string): void {
    this.why = text;
  }

  private unpin(): void {
    this.pinned = null;
    this.hovered = null;
  }

  choose(i: number): void {
    if (this.view?.hand?.[i] === undefined || this.sent !== null) return;
    this.why = '';
    this.chosen = this.chosen === i ? null : i;
  }

  /** The mouse is over a place, or over none. */
  hover(place: Place | null): void {
    this.hovered = place;
  }

  /** A place was reached with keys. */
  look(place: Place): void {
    if (this.sent !== null) return;
    this.why = '';
    this.pinned = place;
  }

  /** A place was clicked, tapped or entered: only keys do at once what the step asks for. */
  pick(place: Place, by: By): void {
    this.look(place);
    if (by === 'key') this.go();
    else if ((this.step === 'place' || this.step === 'diver') && this.sent === null)
      this.hint(this.closed(place));
  }

  /** Why nothing can be done on a place; empty: something can. */
  private closed(place: Place | null): string {
    const v = this.view;
    if (v === null) return '';
    if (this.step === 'place') {
      if (this.chosen === null) return t('soumsoum.chooseFirst');
      if (place === null) return t('soumsoum.wherePlace');
      if (this.open.has(place)) return '';
      return lies(v, place) === 'sub' ? t('soumsoum.onSub') : t('soumsoum.taken');
    }
    if (place === null) return t('soumsoum.whereDive');
    if (this.open.has(place)) return '';
    return tokenAt(v, place) ? t('soumsoum.diverThere') : t('soumsoum.noCardThere');
  }

  /** What the step asks for. */
  go(): void {
    if (this.step === 'place') this.place();
    else if (this.step === 'diver') this.dive();
    else if (this.step === 'take') this.take();
  }

  /** Lays the card. It is sent with the diver's step; in a lesson, and without a connection, at once. */
  place(): void {
    if (this.step !== 'place' || this.busy) return;
    const why = this.closed(this.spot);
    if (why !== '') return this.hint(why);
    if (this.chosen === null || this.spot === null) return;
    this.pinned = this.spot;
    const move: Laid = { do: 'place', card: this.chosen, at: atOf(this.spot) };
    if (this.table.lesson !== undefined || this.table.state !== 'open') return void this.send(move);
    this.laid = move;
    this.chosen = null;
  }

  /** One step back: the laid card comes back to the hand; else the place, then the card is put down. */
  back(): void {
    this.why = '';
    if (this.sent !== null) return; // what is sent stands; by key, a step that is new may be taken back at once
    if (this.laid !== null) {
      this.chosen = this.laid.card;
      this.laid = null;
    } else if (this.pinned !== null) this.unpin();
    else this.chosen = null;
  }

  dive(): void {
    if (this.step !== 'diver' || this.busy) return;
    const why = this.closed(this.pinned);
    if (why !== '') return this.hint(why);
    if (this.pinned !== null) void this.send({ do: 'diver', at: atOf(this.pinned) });
  }

  pass(): void {
    if (this.step === 'diver' && !this.busy) void this.send({ do: 'pass' });
  }

  /** A card of the market was clicked or tapped; a button or Enter takes it. */
  pickMarket(i: number): void {
    if (this.view === null || this.step !== 'take' || !mayTake(this.view).has(i)) return;
    this.why = '';
    this.taking = i;
  }

  take(): void {
    if (this.step !== 'take' || this.busy) return;
    if (this.taking === null) return this.hint(t('soumsoum.whichTake'));
    void this.send({ do: 'take', market: this.taking });
  }
}
