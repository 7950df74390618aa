import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import { createGateway, type Gateway } from './gateway.js';
import { createOnce } from './idempotency.js';
import type { Payment, PaymentState } from './payment.js';
import type { Announce } from './payment-event.js';
import type { PaymentProvider } from './providers/provider.js';
import { createRetention, type FindUndelivered, type Retention } from './retention.js';
import { createSessionVault } from './sessions/session-vault.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import { createSignIn, type SignIn } from './sessions/sign-in.js';
import type { PaymentStores } from './store.js';
import { createPoll } from './watching/poll.js';
import { createSettle } from './watching/settle.js';
import { createWaitForOutcome, type WaitForOutcome } from './watching/wait-for-outcome.js';
import { createWatcher, type Watcher } from './watching/watcher.js';

export interface PaymentsOptions {
  /** Where everything is kept. */
  readonly stores: PaymentStores;
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
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores the deliveries of an event; a payment is marked ended only after it resolves. */
  readonly announce: Announce;
  /** Milliseconds for which ended payments are kept; Infinity = for ever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
}

/**
 * The payment feature, put together. `serve` and the command line both have it on one storage at the
 * same time; only `serve` starts the watcher.
 *
 * What the command line uses: `signIn.start/sendPhone/verifyOtp` to sign in, `sessions.authenticate` with the
 * kept pair to get a cashier, everything on `gateway` with that cashier, `sessions.logOut`,
 * `listPayments` and `findPayment` for what was made here, and `waitForOutcome` after `createQr` or
 * `createInvoice`.
 */
export interface Payments {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly gateway: Gateway;
  readonly watcher: Watcher;
  readonly retention: Retention;
  readonly waitForOutcome: WaitForOutcome;
  /** The payments that are stored, in no order. */
  listPayments(state: PaymentState): AsyncIterable<Payment>;
  findPayment(id: string, type?: Payment['type']): Promise<Payment | undefined>;
  /** Stops the watcher if it runs and lets go of the provider. */
  close(): Promise<void>;
}

export function createPayments(options: PaymentsOptions): Payments {
  const { stores, provider, zone, clock, log, announce, pollInterval: interval } = options;
  const vault = createSessionVault(options.gatewayKey);
  const { payments: store } = stores;
  const sessions = createSessions({
    store: stores.sessions,
    vault,
    provider,
    clock,
    log,
    hasOpenPayments: async (sessionId) =>
      watcher.uses(sessionId) || (await store.hasOpenWith(sessionId)),
  });
  const poll = createPoll({ provider, sessions, moreFailed: options.qrFailedStatuses });
  const settle = createSettle({ store, announce, clock, log });
  const watcher = createWatcher({ store, sessions, poll, settle, interval, ...options });
  return {
    signIn: createSignIn({
      provider,
      sessions,
      store: stores.signIns,
      clock,
      onSignedIn: (organizationId) => watcher.wake(organizationId),
    }),
    sessions,
    gateway: createGateway({
      provider,
      sessions,
      store,
      once: createOnce(stores.answers),
      clock,
      zone,
      onCreated: (payment) => watcher.watch(payment),
      onTouched: (payment) => watcher.hurry(payment),
    }),
    watcher,
    retention: createRetention({ store, ...options }),
    waitForOutcome: createWaitForOutcome({ store, sessions, poll, settle, clock, interval }),
    listPayments: (state) => store.list(state),
    findPayment: (id, type) => store.find(id, type),
    async close() {
      await watcher.stop();
      await provider.close();
      await stores.close();
    },
  };
}
