import type { ReceiverState } from '#validators/webhooks';
import type { Clock } from '../base/clock.js';
import type { EndedState, ReceiverStore } from '../events/store.js';
import type { Subscription } from '../events/subscription.js';
import type { WebhookLog } from './log.js';

export type { ReceiverState } from '#validators/webhooks';

/** Deliveries dropped in a row after which a subscription is reported. */
export const reportedAfter = 20;

/** What a subscription is not sent anything for: the file says so, or the receiver is gone. */
export type DisabledBy = 'file' | '410';

type Known = Pick<Subscription, 'id' | 'enabled'>;
type Named = Pick<Subscription, 'id' | 'displayUrl'>;

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

export type Receivers = ReturnType<typeof openReceivers>;

/** What is known here of how receivers take their deliveries; what other processes learn is read again. */
export function openReceivers({ store, clock, log, file }: ReceiversOptions) {
  let states: ReadonlyMap<string, ReceiverState> = new Map();

  /** Known here at once; elsewhere at the next refresh. */
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
    /** Reads what is stored. Throws what the storage does. */
    async refresh(): Promise<void> {
      states = new Map((await store.list()).map((state) => [state.id, state]));
    },
    /** Forgets what a changed file has ended: should it change back, that is no reason to disable again. */
    async forgetOver(): Promise<void> {
      for (const state of states.values()) {
        if (state.disabled && state.disabled.file !== file()) await enable(state);
      }
    },
    disabledBy: (subscription: Known) => disabledByOf(subscription, states, file()),
    standingOf: (subscription: Known & Pick<Subscription, 'displayUrl'>) =>
      standingOf(subscription, states, file()),
    /** Takes note of a delivery that was taken or dropped. */
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
      log.error({ url, droppedInARow }, 'A webhook receiver has taken nothing for long.');
    },
    /** The receiver is gone: nothing more is sent until the file changes or somebody enables it. */
    async disable(subscription: Named): Promise<void> {
      // What was under way at the same time is told so, too.
      if (states.get(subscription.id)?.disabled?.file === file()) return;
      const disabled = { at: new Date(clock.now()).toISOString(), file: file() };
      await change(subscription, (now) => ({ ...now, disabled }));
      log.error(
        { url: shownUrl(subscription.displayUrl) },
        'A webhook receiver answered 410 Gone: its subscription is disabled until webhooks.json changes or `msgsite webhooks enable URL` is run.',
      );
    },
    /** False where it was not disabled by its receiver. */
    async enable({ id }: Pick<Subscription, 'id'>): Promise<boolean> {
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
