import type { ReceiverState } from '#validators/webhooks';
import type { Clock } from '../base/clock.js';
import type { WebhookLog } from './log.js';
import type { EndedState, ReceiverStore } from './store.js';
import type { Subscription } from './subscriptions/subscription.js';

export type { ReceiverState } from '#validators/webhooks';

/** Deliveries dropped in a row after which a subscription is reported. */
export const reportedAfter = 20;

/** What a subscription is not sent anything for: the file says so, or the receiver is gone. */
export type DisabledBy = 'file' | '410';

type Known = Pick<Subscription, 'id' | 'enabled'>;

/** How a subscription stands, as `webhooks list` shows it. */
export interface SubscriptionStanding {
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledBy: DisabledBy | null;
  /** Deliveries dropped since the last one that was taken. */
  readonly droppedInARow: number;
}

/** How a subscription stands; `file` is the digest of the webhooks file that is in force. */
export function standingOf(
  { displayUrl, ...subscription }: Known & Pick<Subscription, 'displayUrl'>,
  states: ReadonlyMap<string, ReceiverState>,
  file: string,
): SubscriptionStanding {
  const disabledBy = disabledByOf(subscription, states, file);
  const droppedInARow = states.get(subscription.id)?.droppedInARow ?? 0;
  return { url: displayUrl, enabled: disabledBy === null, disabledBy, droppedInARow };
}

function disabledByOf(
  { id, enabled }: Known,
  states: ReadonlyMap<string, ReceiverState>,
  file: string,
): DisabledBy | null {
  if (!enabled) return 'file';
  return states.get(id)?.disabled?.file === file ? '410' : null;
}

export interface ReceiversOptions {
  readonly store: ReceiverStore;
  readonly clock: Clock;
  readonly log: WebhookLog;
  /** Digest of the webhooks file that is in force. */
  file(): string;
}

/** What is known here of how receivers take their deliveries; what other processes learn is read again. */
export interface Receivers {
  /** Reads what is stored. Throws what the storage does. */
  refresh(): Promise<void>;
  /** Forgets what a changed file has ended: should it change back, that is no reason to disable again. */
  forgetOver(): Promise<void>;
  disabledBy(subscription: Known): DisabledBy | null;
  standingOf(subscription: Known & Pick<Subscription, 'displayUrl'>): SubscriptionStanding;
  /** Takes note of a delivery that was taken or dropped. */
  ended(subscription: Pick<Subscription, 'id' | 'displayUrl'>, state: EndedState): Promise<void>;
  /** The receiver is gone: nothing more is sent until the file changes or somebody enables it. */
  disable(subscription: Pick<Subscription, 'id' | 'displayUrl'>): Promise<void>;
  /** False where it was not disabled by its receiver. */
  enable(subscription: Pick<Subscription, 'id'>): Promise<boolean>;
}

export function createReceivers({ store, clock, log, file }: ReceiversOptions): Receivers {
  let states: ReadonlyMap<string, ReceiverState> = new Map();

  /** Known here at once; elsewhere at the next refresh. */
  function remember(state: ReceiverState): void {
    states = new Map([...states, [state.id, state]]);
  }

  async function change(
    { id, displayUrl: url }: Pick<Subscription, 'id' | 'displayUrl'>,
    changed: (state: ReceiverState) => ReceiverState,
  ): Promise<ReceiverState> {
    const state = await store.change({ id, url, droppedInARow: 0, disabled: null }, changed);
    remember(state);
    return state;
  }

  async function enable(state: ReceiverState): Promise<void> {
    await change({ id: state.id, displayUrl: state.url }, (now) => ({ ...now, disabled: null }));
  }

  return {
    async refresh() {
      states = new Map((await store.list()).map((state) => [state.id, state]));
    },
    async forgetOver() {
      for (const state of states.values()) {
        if (state.disabled && state.disabled.file !== file()) await enable(state);
      }
    },
    disabledBy: (subscription) => disabledByOf(subscription, states, file()),
    standingOf: (subscription) => standingOf(subscription, states, file()),
    async ended(subscription, state) {
      const before = states.get(subscription.id)?.droppedInARow ?? 0;
      if (state === 'delivered') {
        if (before > 0) await change(subscription, (now) => ({ ...now, droppedInARow: 0 }));
        return;
      }
      const { droppedInARow } = await change(subscription, (now) => ({
        ...now,
        droppedInARow: now.droppedInARow + 1,
      }));
      if (droppedInARow !== reportedAfter) return;
      const url = shownUrl(subscription.displayUrl);
      log.error({ url, droppedInARow }, 'A webhook receiver has taken nothing for long.');
    },
    async disable(subscription) {
      // What was under way at the same time is told so, too.
      if (states.get(subscription.id)?.disabled?.file === file()) return;
      const disabled = { at: new Date(clock.now()).toISOString(), file: file() };
      await change(subscription, (now) => ({ ...now, disabled }));
      log.error(
        { url: shownUrl(subscription.displayUrl) },
        'A webhook receiver answered 410 Gone: its subscription is disabled until webhooks.json changes or `msgsite webhooks enable URL` is run.',
      );
    },
    async enable({ id }) {
      const state = states.get(id);
      if (!state?.disabled) return false;
      await enable(state);
      return true;
    },
  };
}

/** An address as logs show it: what follows the path may be a secret. */
export function shownUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
