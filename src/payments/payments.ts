import type { StatusMap } from '#validators/status-map';
import type { MoneyClock } from '../base/money-clock.js';
import type { StateStore } from '../base/state.js';
import { createGateway } from './gateway.js';

import { type AdoptionRequest, createAdoption } from './intents/adopt.js';
import { type Intent, intentsUnderWay, isKeyTaken } from './intents/intent.js';
import { createMoneyCalls } from './intents/money-calls.js';
import { createOutcomes } from './intents/outcomes.js';
import { createResolver } from './intents/resolver.js';
import { findByEitherId } from './one-payment.js';
import type { PaymentParts } from './parts.js';
import { followChanges } from './payment-changes.js';
import { followReferences, type PaymentFollower } from './payment-follower.js';
import { createNightly, type Nightly } from './reconcile/nightly.js';
import { createReconcile, type Reconcile } from './reconcile/reconcile.js';
import { createReconciliationMarks } from './reconcile/reconciliation-marks.js';
import { createRetention, type FindUndelivered } from './retention.js';
import { createSessionVault } from './sessions/session-vault.js';
import { askAsCashier, type Cashier, createSessions } from './sessions/sessions.js';
import { createSignIn } from './sessions/sign-in.js';
import type { IntentStore, PaymentQuery } from './store.js';
import { createFlips } from './watching/flips.js';
import { meaningOf } from './watching/payment-rules.js';
import { createPoll } from './watching/poll.js';
import { createSettle } from './watching/settle.js';
import { createWaitForOutcome } from './watching/wait-for-outcome.js';
import { createWatcher } from './watching/watcher.js';
import { providerDay } from './zoned-time.js';

/** Options of the payment feature, which closes `provider` when it is closed. */
export interface PaymentsOptions
  extends Omit<PaymentParts, 'store' | 'sessions' | 'follower' | 'interval'> {
  /** One or more keys, separated by commas: `MSGSITE_GATEWAY_KEY` or the generated key. */
  readonly gatewayKey: string;
  /** Interval between the starts of two polls of a payment, in milliseconds. */
  readonly pollInterval: number;
  /** Interval between two scans for payments of other processes, in milliseconds; 1000 by default. */
  readonly scanInterval?: number;
  /** Called at the start of each poll with its delay in milliseconds; for measurements. */
  onPoll?(lateness: number): void;
  /** Additional QR statuses that mean failure. */
  readonly qrFailedStatuses: readonly string[];
  /** Meanings of additional statuses. */
  readonly statuses?: StatusMap | undefined;
  /** Called for payments with a `reference`. If it fails, the step is repeated. */
  readonly follower?: PaymentFollower | undefined;
  /** Retention of ended payments, in milliseconds; Infinity keeps them forever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
  readonly deletionTime: MoneyClock['deletionTime'];
  /** Returns the unique ID of this deployment; undefined if it cannot be read. */
  instance(): Promise<string | undefined>;
  /** Stores which days were compared with the provider. */
  readonly state: StateStore;
  /**
   * Time at which the previous day is compared with the provider, as `HH:MM` in the provider's zone; never by default.
   */
  readonly reconcileAt?: string | null | undefined;
  /** Interval between two checks of intents in doubt, in milliseconds. */
  readonly resolveInterval: number;
  /** Called once for each session in use that the provider has ended. */
  readonly onSessionEnded?: (() => void) | undefined;
  /** Called when the provider changes the outcome of a payment that has ended. */
  readonly onCorrected?: (() => void) | undefined;
}

export type Payments = ReturnType<typeof createPayments>;

/**
 * Assembles the payment feature. `serve` and the command line can use it on the same storage at the same time. Only
 * `serve` starts the watcher.
 */
export function createPayments(options: PaymentsOptions) {
  const { stores, provider, zone, clock, log, audit, pollInterval: interval } = options;
  const { reconcileAt: at } = options;
  const follower = followReferences(options.follower);
  const vault = createSessionVault(options.gatewayKey);
  const { store, changes } = followChanges(stores.payments, clock);
  /** Finds a payment by either of the provider's IDs. */
  const byEither = { ...store, find: (query: PaymentQuery) => findByEitherId(store, query) };

  const sessions = createSessions({
    store: stores.sessions,
    vault,
    provider,
    clock,
    log,
    hasOpenPayments: async (sessionId) =>
      watcher.uses(sessionId) ||
      (await store.hasOpenWith(sessionId)) ||
      (await hasDoubtWith(stores.intents, sessionId)),
    onEnded: options.onSessionEnded,
  });
  const further = { qrFailed: options.qrFailedStatuses, map: options.statuses };
  const parts = { ...options, store, sessions, follower, interval };
  const poll = createPoll(parts, further);
  const flips = createFlips(parts, further, options.onCorrected);
  const settle = createSettle(parts);
  const watcher = createWatcher({
    ...{ ...parts, poll, settle, flips },
    onSignedIn: (organizationId) => nightly.signedIn(organizationId),
  });
  const eitherParts = { ...parts, stores: { ...stores, payments: byEither } };
  const outcomes = createOutcomes(eitherParts, (payment) => watcher.watch(payment));
  const calls = createMoneyCalls({ ...eitherParts, outcomes });
  const gateway = createGateway({
    ...{ ...parts, calls, onRead: flips.observed },
    onTouched: (payment) => watcher.hurry(payment),
  });
  const resolver = createResolver({ ...parts, calls, outcomes });
  const compareDay = createReconcile({
    ...stores,
    payments: store,
    gateway,
    recheck: (closed, cashier, call) =>
      askAsCashier(sessions, cashier, () => resolver.recheck(closed, cashier, call)),
    zone,
    interval,
    clock,
    judge: (type, status) => meaningOf(type, status, further) ?? 'pending',
    noteFlip: flips.seen,
  });
  const adoption = createAdoption({ ...eitherParts, outcomes });
  const marks = createReconciliationMarks(options.state);

  /** Compares a day with the provider. Marks a past day as compared, no matter who requested the comparison. */
  const reconcile: Reconcile = async (cashier, day, signal) => {
    const differences = await compareDay(cashier, day, signal);
    const { organizationId } = cashier.session;
    const today = providerDay(clock.now(), zone);
    if (day < today) {
      await marks.note(organizationId, day, today).catch((err: unknown) => {
        const message =
          'The day was compared, but could not be marked as compared. It will be compared again.';
        log.error({ err, organization: organizationId, day }, message);
      });
    }
    return differences;
  };
  const isNightly = at !== null && at !== undefined;
  const nightly: Nightly = isNightly
    ? createNightly({ ...parts, reconcile, marks, claims: stores.reconciliations, at })
    : { run: marks.forget, signedIn() {} };
  return {
    signIn: createSignIn({
      provider,
      sessions,
      store: stores.signIns,
      clock,
      audit: options.audit,
      onSignedIn(organizationId) {
        watcher.wake(organizationId);
        nightly.signedIn(organizationId);
      },
    }),
    sessions,
    gateway,
    watcher,
    /**
     * Reports a payment whose final status has changed. Call it with every answer about one operation that no poll has
     * read. `Data` contains the `Status`; pass a history row as `{ Data: row }`. Never rejects.
     */
    observed: flips.observed,
    retention: createRetention(options),
    waitForOutcome: createWaitForOutcome({ ...parts, store: byEither, poll, settle }),
    resolver,
    intents: stores.intents,
    refunds: stores.refunds,
    isKeyTaken: (intent: Intent) => isKeyTaken(intent, clock),
    /** Returns the calls in progress that move money, from all processes. */
    underWay: () => intentsUnderWay(audit),
    instance: options.instance,
    /** Adopts an operation of the provider, or settles an intent in doubt. */
    adoption: {
      ...adoption,
      adopt: (cashier: Cashier, request: AdoptionRequest) =>
        askAsCashier(sessions, cashier, () => adoption.adopt(cashier, request)),
    },
    /** Compares a day of a cashier's organization with the provider. */
    reconcile,
    /** Reconciles every organization that had payments each night, unless nightly reconciliation is turned off. */
    nightly,
    /** Waits for changes to stored payments. */
    changes,
    listPayments: store.list,
    listEnded: store.listEnded,
    isWatched: store.isWatched,
    findPayments: byEither.find,
    pagePayments: store.page,
    /** Stops the watcher, closes the provider, waits until the calls in progress are stored, and closes the stores. */
    async close() {
      calls.close();
      await watcher.stop();
      await provider.close();
      // Calls that ended because the provider was closed still store their outcomes.
      await calls.idle();
      await stores.close();
    },
  };
}

async function hasDoubtWith(intents: IntentStore, sessionId: string): Promise<boolean> {
  for await (const intent of intents.list('in_doubt'))
    if (intent.sessionId === sessionId) return true;
  return false;
}
