import { join } from 'node:path';
import { type AuditStore, removeOldLines } from '../../../src/audit/store.js';
import { openJsonAuditStore } from '../../../src/audit/store-json/open.js';
import type { AuditLine, AuditLog } from '../../../src/base/audit.js';
import { type MoneyClock, openMoneyClock } from '../../../src/base/money-clock.js';
import type { StateStore } from '../../../src/base/state.js';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { type Outcome, type Payment, paymentKey } from '../../../src/payments/payment.js';
import type { PaymentEnd } from '../../../src/payments/payment-event.js';
import type { PaymentFollower } from '../../../src/payments/payment-follower.js';
import { createPayments, type Payments } from '../../../src/payments/payments.js';
import { guardProvider } from '../../../src/payments/providers/guard.js';
import type { Capabilities } from '../../../src/payments/providers/provider-answer.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import type { PaymentStores } from '../../../src/payments/store.js';
import { openJsonPaymentStores } from '../../../src/payments/store-json/open.js';
import { createManualClock, type ManualClock } from '../../helpers/manual-clock.js';
import { createMemoryState } from '../../helpers/memory-state.js';
import { type LogLine, openRecordedLog } from '../../helpers/recorded-log.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { collect } from '../payments-under-test.js';
import { createMoneyBank, type MoneyBank } from './money-bank.js';
import { createMortal, killOwners, type Mortal } from './mortal.js';

export const zone = 'Asia/Almaty';
/** The values of two settings, in milliseconds. */
export const [providerTimeout, resolveInterval] = [10_000, 30_000];
const retention = 400 * 86_400_000;

/** A clock that can skip time without running timers, as on a machine that sleeps. */
export interface WorldClock extends ManualClock {
  jump(milliseconds: number): void;
}

function createWorldClock(isBusy: () => boolean): WorldClock {
  const clock = createManualClock(undefined, isBusy);
  let passed = 0;
  return {
    ...clock,
    now: () => clock.now() + passed,
    monotonic: () => clock.monotonic() + passed,
    jump(milliseconds) {
      passed += milliseconds;
    },
  };
}

/** The state that remains when a process dies. */
export interface World {
  readonly clock: WorldClock;
  readonly data: string;
  readonly bank: MoneyBank;
  readonly capabilities: Capabilities;
  /** Announced events by name, including repeated events. */
  readonly events: Map<string, PaymentEnd[]>;
  readonly logged: LogLine[];
  readonly state: StateStore;
  /** True if the bank lists the key of a refund. */
  readonly provesRefunds: boolean;
  /** The outcome in the last call of the follower, by payment key. */
  readonly followed: Map<string, Outcome | 'unknown' | undefined>;
  /** Metric counts. */
  readonly counted: { sessionsEnded: number; corrected: number };
}

export interface WorldOptions {
  readonly idempotent?: boolean;
  readonly lookup?: boolean;
  readonly lookupHorizon?: number | undefined;
  readonly hasRefundIds?: boolean;
  readonly hasKeysInHistory?: boolean;
  readonly hasLongIds?: boolean;
  readonly hasTwoIds?: boolean;
  readonly sandbox?: boolean;
  readonly data?: string;
  /** Returns true if queries are in progress. */
  readonly isBusy?: () => boolean;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { idempotent = false, lookup = false, lookupHorizon, data, ...more } = options;
  const { isBusy = () => false, sandbox = false, ...ofBank } = more;
  const clock = createWorldClock(isBusy);
  const horizon = lookupHorizon === undefined ? {} : { lookupHorizon };
  const capabilities = { idempotent, lookup, ...horizon, ...(sandbox ? { sandbox } : {}) };
  return {
    clock,
    data: data ?? (await makeTempFolder()),
    bank: createMoneyBank({ clock, zone, capabilities, ...ofBank }),
    capabilities,
    events: new Map(),
    logged: [],
    state: createMemoryState(),
    provesRefunds: lookup || more.hasKeysInHistory === true,
    followed: new Map(),
    counted: { sessionsEnded: 0, corrected: 0 },
  };
}

export interface MoneyUnderTest extends Payments {
  readonly mortal: Mortal;
  readonly audit: AuditLog;
  readonly stores: PaymentStores;
  /** Signs in a cashier of an organization. Each number is a different cashier. */
  cashier(organizationId?: number, number?: number): Promise<Cashier>;
  /** Checks all intents in doubt once. */
  round(): Promise<void>;
  lines(): Promise<AuditLine[]>;
  /** Removes old lines of the audit log, like `serve`. */
  removeOldLines(): Promise<void>;
  payments(): Promise<Payment[]>;
  /** Ends the process like `kill -9`. */
  kill(): Promise<void>;
}

/** The storage of one process. */
export interface Storage {
  readonly stores: PaymentStores;
  readonly audit: AuditStore;
  /** The clock, which also returns the running time. By default, it is opened automatically. */
  readonly moneyClock?: MoneyClock;
}

/** Opens a process's clock, which counts the running time of the deployment. */
export async function openClock({ clock, state, logged }: World, mortal: Mortal) {
  const { log } = await openRecordedLog(logged);
  const own = mortal.clock(clock);
  const moneyClock = await openMoneyClock({ state, clock: own, log, hasMoney: async () => false });
  await moneyClock.start();
  return moneyClock;
}

/** Opens a process on JSON files. With a label, it dies alone. Otherwise, all processes on the files die together. */
export async function openMoney(
  world: World,
  mortal = createMortal(),
  follower?: PaymentFollower,
  only?: string,
): Promise<MoneyUnderTest> {
  const moneyClock = await openClock(world, mortal);
  const { clock } = moneyClock;
  const { files } = mortal;
  const label = only ?? 'serve';
  const folder = join(world.data, 'payments');
  const onDamaged = (error: Error) => {
    throw error;
  };
  const storage = {
    moneyClock,
    stores: await openJsonPaymentStores({ folder, clock, files, label, onDamaged }),
    audit: openJsonAuditStore({
      ...{ folder: join(world.data, 'audit'), clock, files, label },
      onDamage: ({ message }) => {
        throw new Error(message);
      },
    }),
  };
  const opened = await openMoneyOn(world, storage, mortal, follower);
  return {
    ...opened,
    async kill() {
      await mortal.die();
      await killOwners(world.data, only);
    },
  };
}

/** Creates a follower that records the last outcomes. */
function createFollower({ followed }: World): PaymentFollower {
  return {
    async seen({ outcome, flippedOutcome = outcome, ...payment }) {
      // The call for the open payment can follow the call for its end.
      if (flippedOutcome) followed.set(paymentKey(payment), flippedOutcome);
    },
    async notMade() {},
    async corrected(payment, outcome) {
      followed.set(paymentKey(payment), outcome ?? 'unknown');
    },
  };
}

/** Opens a process on a storage. */
export async function openMoneyOn(
  world: World,
  { stores, audit, ...storage }: Storage,
  mortal: Mortal,
  follower?: PaymentFollower,
): Promise<MoneyUnderTest> {
  const moneyClock = storage.moneyClock ?? (await openClock(world, mortal));
  const { clock } = moneyClock;
  const { log } = await openRecordedLog(world.logged);
  const provider = guardProvider(mortal.wrap(world.bank), { clock, timeout: providerTimeout });
  const payments = createPayments({
    instance: async () => undefined,
    stores,
    gatewayKey: 'a key that only tests use',
    zone,
    pollInterval: 3_000,
    // The work of other processes is not tested here.
    scanInterval: 3_600_000,
    qrFailedStatuses: [],
    log,
    async announce(event) {
      if (mortal.isDead) return new Promise(() => {});
      const name = `${event.organizationId}-${event.type}-${event.paymentId}-${event.event}`;
      world.events.set(name, [...(world.events.get(name) ?? []), event]);
    },
    retention,
    findUndelivered: async () => [],
    deletionTime: moneyClock.deletionTime,
    reconcileAt: '04:00',
    onSessionEnded() {
      if (!mortal.isDead) world.counted.sessionsEnded += 1;
    },
    onCorrected() {
      if (!mortal.isDead) world.counted.corrected += 1;
    },
    state: world.state,
    audit,
    resolveInterval,
    providerTimeout,
    provider,
    clock,
    follower: follower ?? mortal.wrap(createFollower(world)),
  });
  return {
    ...payments,
    mortal,
    audit,
    stores,
    async cashier(organizationId = 1, number = 1) {
      const tokenSN = `${organizationId}-${number}`;
      const session = await payments.sessions.add({
        ...{ step: 'finished', message: '', tokenSN, secret: 's', profileId: organizationId },
        ...{ organizationId, orgName: '', phone: '77011234567', organizations: [] },
        capabilities: world.capabilities,
      });
      return payments.sessions.authenticate(tokenSN, session.vtokenSecret);
    },
    round: () => payments.resolver.round(new AbortController().signal),
    lines: () => collect(audit.read()),
    removeOldLines: () => removeOldLines(audit, moneyClock.deletionTime),
    async payments() {
      const states = ['open', 'ended', 'unknown'] as const;
      const all = await Promise.all(states.map((state) => collect(payments.listPayments(state))));
      return all.flat();
    },
    async kill() {
      await mortal.die();
    },
    async close() {
      await moneyClock.stop();
      await payments.close();
      await audit.close();
    },
  };
}

/** Returns a client's key. */
export const under = (key: string) => repeatKeyOf(key);
