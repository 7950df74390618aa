import { silentLog } from '../../src/base/log.js';
import type { PaymentEvent } from '../../src/payments/payment-event.js';
import { openPayments, type Payments, type PaymentsOptions } from '../../src/payments/payments.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

export interface PaymentsUnderTest extends Payments {
  readonly clock: ManualClock;
  readonly data: string;
  /** What was announced, in order. */
  readonly events: PaymentEvent[];
  cashier(phone?: string): Promise<Cashier>;
  /** Makes a payment and gives its id. */
  qr(cashier: Cashier, amount: number): Promise<string>;
  invoice(cashier: Cashier, amount: number): Promise<string>;
}

export type Overrides = Partial<PaymentsOptions> & { readonly clock?: ManualClock };

/** The payment feature on the in-process sandbox, a folder of its own and a clock moved by hand. */
export async function openPaymentsUnderTest(overrides: Overrides = {}): Promise<PaymentsUnderTest> {
  const clock = overrides.clock ?? createManualClock();
  const data = overrides.data ?? (await makeTempFolder());
  const events: PaymentEvent[] = [];
  const payments = await openPayments({
    data,
    gatewayKey: 'a key that only tests use',
    provider: 'sandbox',
    zone: 'Asia/Almaty',
    pollInterval: 3000,
    qrFailedStatuses: [],
    sandboxSpeed: 1,
    log: silentLog(),
    announce: async (event) => {
      events.push(event);
    },
    retention: Number.POSITIVE_INFINITY,
    findUndelivered: async () => [],
    ...overrides,
    clock,
  });
  return {
    ...payments,
    clock,
    data,
    events,
    async cashier(phone = '77011234567') {
      const { processId } = (await payments.signIn.start()) as { processId: string };
      await payments.signIn.sendPhone(processId, phone);
      const { tokenSN, vtokenSecret } = await payments.signIn.verifyOtp(processId, '123456');
      return payments.sessions.authenticate(tokenSN, vtokenSecret);
    },
    async qr(cashier, amount) {
      const { Data } = await payments.gateway.createQr(cashier, { amount });
      return String((Data as { QrOperationId: number }).QrOperationId);
    },
    async invoice(cashier, amount) {
      const order = { amount, phoneNumber: '77017654321' };
      const { Data } = await payments.gateway.createInvoice(cashier, order);
      return String((Data as { Id: number }).Id);
    },
  };
}

/** Everything an async iterable gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
