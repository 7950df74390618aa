import { join } from 'node:path';
import type { AuditStore } from '../../src/audit/store.js';
import { openJsonAuditStore } from '../../src/audit/store-json/open.js';
import { systemClock } from '../../src/base/clock.js';
import type { Payment } from '../../src/payments/payment.js';
import type { PaymentEnd } from '../../src/payments/payment-event.js';
import {
  createPayments,
  type Payments,
  type PaymentsOptions,
} from '../../src/payments/payments.js';
import { openProvider } from '../../src/payments/providers/open-provider.js';
import { openSandboxStore } from '../../src/payments/providers/sandbox/store-json/open.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { createMemoryState } from '../helpers/memory-state.js';
import { type LogLine, openRecordedLog } from '../helpers/recorded-log.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

export interface PaymentsUnderTest extends Payments {
  readonly clock: ManualClock;
  readonly data: string;
  readonly audit: AuditStore;
  /** Announced events, in order. */
  readonly events: PaymentEnd[];
  /** Log lines, in order. */
  readonly logged: readonly LogLine[];
  cashier(phone?: string): Promise<Cashier>;
  /** Creates a payment and returns its ID. */
  qr(cashier: Cashier, amount: number): Promise<string>;
  invoice(cashier: Cashier, amount: number): Promise<string>;
  /** Returns the newest payment with this ID. */
  findPayment(id: string): Promise<Payment | undefined>;
}

export interface Overrides extends Partial<Omit<PaymentsOptions, 'provider'>> {
  readonly clock?: ManualClock;
  readonly data?: string;
  /** The value of the `provider` setting. */
  readonly provider?: string;
  readonly sandboxFaults?: readonly string[];
}

/** Opens payments on the in-process sandbox, with a new folder and a manual clock. */
export async function openPaymentsUnderTest(overrides: Overrides = {}): Promise<PaymentsUnderTest> {
  const clock = overrides.clock ?? createManualClock();
  const data = overrides.data ?? (await makeTempFolder());
  const events: PaymentEnd[] = [];
  const { log, lines: logged } = await openRecordedLog();
  const zone = 'Asia/Almaty';
  const provider = await openProvider({
    provider: overrides.provider ?? 'sandbox',
    sandbox: () => openSandboxStore(join(data, 'sandbox'), clock),
    folder: join(data, 'provider'),
    clock,
    zone,
    timeout: 25_000,
    sandboxSpeed: 1,
    sandboxFaults: overrides.sandboxFaults ?? [],
  });
  const folder = join(data, 'payments');
  const onDamaged = () => {};
  const audit = openJsonAuditStore({
    folder: join(data, 'audit'),
    // The lock is renewed in real time. By the clock of a test that covers days, there would be thousands of renewals.
    clock: { ...clock, sleep: systemClock.sleep },
    label: 'test',
  });
  const payments = createPayments({
    instance: async () => undefined,
    stores: overrides.stores ?? (await openJsonPaymentStores({ folder, clock, onDamaged })),
    gatewayKey: 'a key that only tests use',
    zone,
    pollInterval: 3000,
    qrFailedStatuses: [],
    log,
    announce: async (event) => {
      events.push(event);
    },
    retention: Number.POSITIVE_INFINITY,
    findUndelivered: async () => [],
    deletionTime: async () => clock.now(),
    state: createMemoryState(),
    audit,
    resolveInterval: 30_000,
    providerTimeout: 10_000,
    ...overrides,
    provider,
    clock,
  });
  return {
    ...payments,
    async close() {
      await payments.close();
      await audit.close();
    },
    audit,
    clock,
    data,
    events,
    logged,
    async cashier(phone = '77011234567') {
      const { processId } = (await payments.signIn.start()) as { processId: string };
      await payments.signIn.sendPhone(processId, phone);
      const { tokenSN, vtokenSecret } = await payments.signIn.verifyOtp(processId, '123456');
      return payments.sessions.authenticate(tokenSN, vtokenSecret);
    },
    async qr(cashier, amount) {
      const { Data } = await payments.gateway.as(cashier).createQr({ amount });
      return String((Data as { QrOperationId: number }).QrOperationId);
    },
    async invoice(cashier, amount) {
      const order = { amount, phoneNumber: '77017654321' };
      const { Data } = await payments.gateway.as(cashier).createInvoice(order);
      return String((Data as { Id: number }).Id);
    },
    findPayment: async (id) => (await payments.findPayments({ id }))[0],
  };
}

/** Returns the items of an async iterable as an array. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
