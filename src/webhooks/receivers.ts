import type { ReceiverState } from '#validators/webhooks';
import type { Clock } from '../base/clock.js';
import type { EndedState, ReceiverStore } from '../events/store.js';
import type { Subscription } from '../events/subscription.js';
import type { WebhookLog } from './log.js';

export type { ReceiverState } from '#validators/webhooks';

/** Number of consecutive dropped deliveries after which a subscription is reported. */
export const reportedAfter = 20;

/** The reason why a subscription is disabled: the webhooks file, or the receiver's 410 response. */
export type DisabledBy = 'file' | '410';

type Known = Pick<Subscription, 'id' | 'enabled'>;
type Named = Pick<Subscription, 'id' | 'displayUrl'>;

/** The state of a subscription, as `webhooks list` shows it. */
export interface SubscriptionStanding {
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledBy: DisabledBy | null;
  /** Deliveries dropped since the last accepted one. */
  readonly droppedInARow: number;
}

/** Returns the state of a subscription. `file` is the digest of the current webhooks file. */
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
  /** Returns the digest of the current webhooks file. */
  file(): string;
}

export type Receivers = ReturnType<typeof openReceivers>;

/** Returns this process's view of the receivers' states. `refresh` reads the changes of other processes. */
export function openReceivers({ store, clock, log, file }: ReceiversOptions) {
  let states: ReadonlyMap<string, ReceiverState> = new Map();

  /** Updates the view of this process; others update theirs at their next refresh. */
  function remember(state: ReceiverState): void {
    states = new Map([...states, [state.id, state]]);
  }

  async function change(
    { id, displayUrl: url }: Named,
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
    /** Reads the stored states. Rejects with storage errors. */
    async refresh(): Promise<void> {
      states = new Map((await store.list()).map((state) => [state.id, state]));
    },
    /** Enables subscriptions that were disabled under an earlier version of the file, even if it changes back. */
    async forgetOutdated(): Promise<void> {
      for (const state of states.values()) {
        if (state.disabled && state.disabled.file !== file()) await enable(state);
      }
    },
    disabledBy: (subscription: Known) => disabledByOf(subscription, states, file()),
    standingOf: (subscription: Known & Pick<Subscription, 'displayUrl'>) =>
      standingOf(subscription, states, file()),
    /** Records a delivery that was accepted or dropped. */
    async ended(subscription: Named, state: EndedState): Promise<void> {
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
      log.error({ url, droppedInARow }, 'A webhook receiver has accepted nothing for a long time.');
    },
    /** Disables a subscription after a 410 response, until the file changes or a user enables it. */
    async disable(subscription: Named): Promise<void> {
      // Concurrent attempts receive the same response.
      if (states.get(subscription.id)?.disabled?.file === file()) return;
      const disabled = { at: new Date(clock.now()).toISOString(), file: file() };
      await change(subscription, (now) => ({ ...now, disabled }));
      log.error(
        { url: shownUrl(subscription.displayUrl) },
        'A webhook receiver responded with 410 Gone. Its subscription is disabled until webhooks.json changes or `msgsite webhooks enable URL` is run.',
      );
    },
    /** Enables a subscription. Returns false if its receiver had not disabled it. */
    async enable({ id }: Pick<Subscription, 'id'>): Promise<boolean> {
      const state = states.get(id);
      if (!state?.disabled) return false;
      await enable(state);
      return true;
    },
  };
}

/** Returns an address for logs, without query and fragment, which may contain a secret. */
export function shownUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
