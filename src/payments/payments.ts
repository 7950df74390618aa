import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import { createGateway, type Gateway } from './gateway.js';
import { createIdempotency } from './idempotency.js';
import type { Payment, PaymentState } from './payment.js';
import type { Announce } from './payment-event.js';
import { openProvider } from './providers/open-provider.js';
import { createRetention, type FindUndelivered, type Retention } from './retention.js';
import { createSessionVault } from './sessions/session-vault.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import { createSignIn, type SignIn } from './sessions/sign-in.js';
import { openJsonPaymentStores, type PaymentStores } from './store.js';
import { createPoll } from './watching/poll.js';
import { createSettle } from './watching/settle.js';
import { createWaitForOutcome, type WaitForOutcome } from './watching/wait-for-outcome.js';
import { createWatcher, type Watcher } from './watching/watcher.js';

export interface PaymentsOptions {
  /** The data directory. */
  readonly data: string;
  /** Where everything is kept; JSON files in the data directory unless told. */
  readonly stores?: PaymentStores | undefined;
  /** `MSGSITE_GATEWAY_KEY`, or the generated one: one key or several with commas between. */
  readonly gatewayKey: string;
  /** `sandbox`, an http(s) address, or the absolute path of a module. */
  readonly provider: string;
  /** IANA zone of dates without one. */
  readonly zone: string;
  /** Milliseconds from poll to poll of an open payment. */
  readonly pollInterval: number;
  /** How often other processes' work is noticed, in milliseconds; 1000 unless told. */
  readonly scanInterval?: number;
  /** Told how late each poll of a payment starts, in milliseconds; for measurements. */
  onPoll?(lateness: number): void;
  /** QR statuses that count as failed besides the known ones. */
  readonly qrFailedStatuses: readonly string[];
  readonly sandboxSpeed: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores the deliveries of an event; a payment is marked ended only after it resolves. */
  readonly announce: Announce;
  /** Milliseconds for which ended payments are kept; Infinity = for ever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
}

/**
 * The payment feature, put together. `serve` and the command line both open it on one data directory
 * at the same time; only `serve` starts the watcher.
 *
 * What the till uses: `signIn.start/sendPhone/verifyOtp` to sign in, `sessions.authenticate` with the
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
  /** Payments made with this data directory, in no order. */
  listPayments(state: PaymentState): AsyncIterable<Payment>;
  findPayment(id: string, type?: Payment['type']): Promise<Payment | undefined>;
  /** Stops the watcher if it runs and lets go of the provider. */
  close(): Promise<void>;
}

export async function openPayments(options: PaymentsOptions): Promise<Payments> {
  const { data, zone, clock, log, announce, pollInterval: interval } = options;
  const vault = createSessionVault(options.gatewayKey);
  const provider = await openProvider(options);
  const stores =
    options.stores ??
    (await openJsonPaymentStores({
      folder: join(data, 'payments'),
      clock,
      onDamaged: (error) => log.error({ err: error }, 'A payment cannot be read.'),
    }));
  const { payments: store } = stores;
  const idempotency = createIdempotency(stores.answers);
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
      idempotency,
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
    },
  };
}
