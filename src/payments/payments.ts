import type { StatusMap } from '#validators/status-map';
import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import type { StateStore } from '../base/state.js';
import { createGateway } from './gateway.js';
import { createOnce } from './idempotency.js';
import { createAdoption, type WantedAdoption } from './intents/adopt.js';
import { type Intent, intentsUnderWay, isKeyTaken } from './intents/intent.js';
import { createMoneyCalls } from './intents/money-calls.js';
import { createOutcomes } from './intents/outcomes.js';
import { createResolver } from './intents/resolver.js';
import { findByEitherId } from './one-payment.js';
import type { Payment } from './payment.js';
import { followChanges } from './payment-changes.js';
import type { Announce } from './payment-event.js';
import { followReferences, type PaymentFollower } from './payment-follower.js';
import type { PaymentProvider } from './providers/provider.js';
import { createNightly, type Nightly } from './reconcile/nightly.js';
import { createReconcile, type Reconcile } from './reconcile/reconcile.js';
import { createReconciliationMarks } from './reconcile/reconciliation-marks.js';
import { createRetention, type FindUndelivered } from './retention.js';
import { createSessionVault } from './sessions/session-vault.js';
import { askAsCashier, type Cashier, createSessions } from './sessions/sessions.js';
import { createSignIn } from './sessions/sign-in.js';
import type { IntentStore, PaymentQuery, PaymentStores } from './store.js';
import { createFlips } from './watching/flips.js';
import { meaningOf } from './watching/payment-rules.js';
import { createPoll, createUnlistedStatuses } from './watching/poll.js';
import { createSettle } from './watching/settle.js';
import { createWaitForOutcome } from './watching/wait-for-outcome.js';
import { createWatcher } from './watching/watcher.js';
import { providerDay } from './zoned-time.js';

export interface PaymentsOptions {
  /** Where everything is kept. */
  readonly stores: PaymentStores;
  /** Where it is written down who did what. */
  readonly audit: AuditLog;
  /** `MSGSITE_GATEWAY_KEY`, or the generated one: one key or several with commas between. */
  readonly gatewayKey: string;
  /** Closed with the feature. */
  readonly provider: PaymentProvider;
  /** IANA zone of dates without one. */
  readonly zone: string;
  /** Milliseconds from poll to poll of an open payment. */
  readonly pollInterval: number;
  /** How often other processes' work is noticed, in milliseconds; 1000 by default. */
  readonly scanInterval?: number;
  /** Called with how late each poll of a payment starts, in milliseconds; for measurements. */
  onPoll?(lateness: number): void;
  /** QR statuses that count as failed besides the known ones. */
  readonly qrFailedStatuses: readonly string[];
  /** What further statuses mean. */
  readonly statuses?: StatusMap | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores the deliveries of an event; a payment is marked ended only after it resolves. */
  readonly announce: Announce;
  /** Told of payments with a `reference`; where it fails, the step that it was told of is made again. */
  readonly follower?: PaymentFollower | undefined;
  /** Milliseconds for which ended payments are kept; Infinity = for ever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
  readonly deletionTime: MoneyClock['deletionTime'];
  /** Returns the unique ID of this deployment; undefined if it cannot be read. */
  instance(): Promise<string | undefined>;
  /** Stores which days were compared with the provider. */
  readonly state: StateStore;
  /** When the day before is compared with the provider, `HH:MM` in its zone; never where it is absent. */
  readonly reconcileAt?: string | null | undefined;
  /** Milliseconds between two rounds of asking for what is in doubt. */
  readonly resolveInterval: number;
  /** Milliseconds that a call to the provider may take. */
  readonly providerTimeout: number;
  /** Called once for each session in use that the provider has ended. */
  readonly onSessionEnded?: (() => void) | undefined;
  /** Called when the provider changes the outcome of a payment that has ended. */
  readonly onCorrected?: (() => void) | undefined;
}

export type Payments = ReturnType<typeof createPayments>;

/**
 * The payment feature, put together. `serve` and the command line both have it on one storage at the
 * same time; only `serve` starts the watcher.
 *
 * What the command line uses: `signIn.start/sendPhone/verifyOtp` to sign in, `sessions.authenticate` with the
 * kept pair to get a cashier, everything on `gateway` with that cashier, `sessions.logOut`,
 * `listPayments` and `findPayments` for what was made here, and `waitForOutcome` after `createQr` or
 * `createInvoice`.
 */
export function createPayments(options: PaymentsOptions) {
  const { stores, provider, zone, clock, log, audit, announce } = options;
  const { pollInterval: interval, reconcileAt: at } = options;
  const follower = followReferences(options.follower);
  const vault = createSessionVault(options.gatewayKey);
  const { store, changes } = followChanges(stores.payments, clock);
  /** Finds a payment by either of the provider's IDs. */
  const byEither = { ...store, find: (query: PaymentQuery) => findByEitherId(store, query) };
  const eitherStores = { ...stores, payments: byEither };
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
  const onUnlisted = createUnlistedStatuses(log);
  const poll = createPoll({ provider, sessions, further, onUnlisted });
  const flips = createFlips({ store, further, log, follower, onCorrected: options.onCorrected });
  const settle = createSettle({ store, announce, follower, clock, log });
  const watcher = createWatcher({
    ...{ store, sessions, poll, settle, flips, interval, ...options },
    onSignedIn: (organizationId) => nightly.signedIn(organizationId),
  });
  const onCreated = (payment: Payment) => watcher.watch(payment);
  const outcomes = createOutcomes({ ...options, stores: eitherStores, onCreated, follower });
  const once = createOnce(stores.answers);
  const calls = createMoneyCalls({
    ...options,
    stores: eitherStores,
    sessions,
    outcomes,
    once,
    follower,
  });
  const gateway = createGateway({
    provider,
    sessions,
    calls,
    audit,
    clock,
    onTouched: (payment) => watcher.hurry(payment),
    onRead: flips.observed,
  });
  const resolver = createResolver({ ...options, sessions, calls, outcomes });
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
  const adoption = createAdoption({ ...options, stores: eitherStores, outcomes });
  const claims = stores.reconciliations;
  const marks = createReconciliationMarks(options.state);

  /** Compares a day. A past day counts as compared, no matter who requested the comparison. */
  const reconcile: Reconcile = async (cashier, day, signal) => {
    const differences = await compareDay(cashier, day, signal);
    const { organizationId } = cashier.session;
    const today = providerDay(clock.now(), zone);
    if (day < today) {
      await marks.note(organizationId, day, today).catch((err: unknown) => {
        const message =
          'The day was compared, but this could not be stored. It will be compared again.';
        log.error({ err, organization: organizationId, day }, message);
      });
    }
    return differences;
  };
  const isNightly = at !== null && at !== undefined;
  const nightly: Nightly = isNightly
    ? createNightly({ reconcile, sessions, stores, marks, claims, at, zone, clock, log })
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
     * To be called with every answer about one operation that was read for another reason than watching it (`Data` has
     * its `Status`; a row of a history is `{ Data: row }`): a payment that has ended otherwise is reported. Never rejects.
     */
    observed: flips.observed,
    retention: createRetention(options),
    waitForOutcome: createWaitForOutcome({
      store: byEither,
      sessions,
      poll,
      settle,
      clock,
      interval,
    }),
    /** Finds out what has become of acts in doubt. */
    resolver,
    intents: stores.intents,
    refunds: stores.refunds,
    /** Returns whether the key of an adopted intent still identifies it. */
    isKeyTaken: (intent: Intent) => isKeyTaken(intent, clock),
    /** Returns the calls under way in any process that move money. */
    underWay: () => intentsUnderWay(audit),
    instance: options.instance,
    /** Takes in an operation of the provider's, or decides of one in doubt. */
    adoption: {
      ...adoption,
      adopt: (cashier: Cashier, wanted: WantedAdoption) =>
        askAsCashier(sessions, cashier, () => adoption.adopt(cashier, wanted)),
    },
    /** Compares a day of a cashier's organization with the provider. */
    reconcile,
    /** Reconciles every night for each organization that had payments; does nothing if that is turned off. */
    nightly,
    /** Waits for changes of stored payments. */
    changes,
    /** The payments that are stored, in no order. */
    listPayments: store.list,
    /** Those that ended from one moment until before another, in no order. */
    listEnded: store.listEnded,
    /** Whether somebody watches the open payments at this moment: a running `serve`. */
    isWatched: store.isWatched,
    findPayments: byEither.find,
    pagePayments: store.page,
    /** Stops the watcher, closes the provider, stores the outcomes of the calls under way and closes the stores. */
    async close() {
      calls.close();
      await watcher.stop();
      await provider.close();
      // The outcomes of calls that closing the provider has ended are stored first.
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
