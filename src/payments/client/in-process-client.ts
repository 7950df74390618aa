import type { PaymentRow } from '#validators/gateway';
import { AppError } from '../../base/errors.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { onePayment } from '../one-payment.js';
import { gatherNewest, type Payment, type PaymentPosition, paymentKey } from '../payment.js';
import { adoptedView, intentRow, paymentView } from '../payment-view.js';
import type { Payments } from '../payments.js';
import { maskPhone } from '../phone.js';
import { addUpDay } from '../reconcile/day-report.js';
import { pageIntents, pageRefunds, type RecordPage, type RecordStores } from '../record-pages.js';
import { type Cashier, sessionFacts } from '../sessions/sessions.js';
import type { PaymentStore } from '../store.js';
import {
  type CashierCalls,
  type FirstAttempt,
  findRefundKey,
  type GatewayClient,
  type PaymentId,
  type PaymentRecords,
  type SessionPair,
} from './gateway-client.js';

export interface InProcessOptions {
  /** Opens the payments on the first call. */
  payments(): Promise<Payments>;
  /** Opens the stores for listing on the first call. Does not change them. */
  lists(): Promise<ListedStores>;
  /** IANA zone of the provider. */
  readonly zone: string;
  sendWebhooks(payment: PaymentRow, signal: AbortSignal): Promise<readonly FirstAttempt[]>;
  /** Returns milliseconds since the epoch. */
  now(): number;
  close(): Promise<void>;
}

interface ListedStores extends RecordStores {
  readonly payments: Pick<PaymentStore, 'list' | 'isWatched'>;
}

/** Creates a client of the gateway in this process. Other processes may use the same data. */
export function createInProcessClient(options: InProcessOptions): GatewayClient {
  const { payments, zone } = options;
  return {
    origin: undefined,
    zone: async () => zone,
    signIn: {
      start: async () => (await payments()).signIn.start(),
      sendPhone: async (processId, phone) => (await payments()).signIn.sendPhone(processId, phone),
      verifyOtp: async (processId, otp) => (await payments()).signIn.verifyOtp(processId, otp),
    },
    cashier: async (session) => cashierOf(options, await payments(), session),
    records: (session) => recordsOf(options, session),
    sendWebhooks: options.sendWebhooks,
    close: options.close,
  };
}

async function authenticate(
  { sessions }: Payments,
  { tokenSN, vtokenSecret }: SessionPair,
): Promise<Cashier> {
  try {
    return await sessions.authenticate(tokenSN, vtokenSecret);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw new AppError('not_signed_in', 'The session is no longer valid.', {
      hint: 'Sign in with msgsite pay login. A session is valid only for its data folder or database.',
      cause: error,
    });
  }
}

/** Creates a cashier's calls. Each call validates the session first, because it may have been logged out elsewhere. */
async function cashierOf(
  { lists, now }: InProcessOptions,
  payments: Payments,
  session: SessionPair,
): Promise<CashierCalls> {
  // After a logout, the gateway may still poll open payments with the session, but the cashier cannot use it.
  const signedIn = () => authenticate(payments, session);
  const bank = async () => payments.gateway.as(await signedIn());
  const { organizationId } = (await signedIn()).session;
  return {
    facts: async () => sessionFacts((await signedIn()).session, await payments.instance()),
    findClient: async (phoneNumber) => (await bank()).findClient(phoneNumber),
    createInvoice: async (order, repeat) => (await bank()).createInvoice(order, repeat),
    invoiceDetails: async (id) => (await bank()).invoiceDetails(id),
    cancelInvoice: async (id) => (await bank()).cancelInvoice(id),
    invoiceHistory: async () => (await bank()).invoiceHistory(),
    createQr: async (order, repeat) => (await bank()).createQr(order, repeat),
    operations: async (period) => (await bank()).operations(period),
    operationDetails: async (id, method) => (await bank()).operationDetails(id, method),
    refund: async (order, repeat) => (await bank()).refund(order, repeat),
    checkSession: async () => (await bank()).checkSession(),
    async refundKey(order) {
      // Settles the requests of interrupted commands first.
      await payments.resolver.recover();
      const ofOrganization: Parameters<typeof findRefundKey>[0] = {
        intents: async (query) =>
          newestOf(await pageIntents(await lists(), { ...query, organizationId })),
        async refunds({ paymentId: id = '', ...query }) {
          const since = oldestRefund(await payments.findPayments({ id, organizationId }), now());
          const refundQuery = { ...query, paymentId: id, organizationId, since };
          return newestOf(await pageRefunds(await lists(), refundQuery));
        },
      };
      return findRefundKey(ofOrganization, order, await payments.instance());
    },
    reconcile: async (day, signal) => payments.reconcile(await signedIn(), day, signal),
    async adopt(request) {
      const { adoption, isKeyTaken } = payments;
      return adoptedView(await adoption.adopt(await signedIn(), request), isKeyTaken);
    },
    logOut: async () => payments.sessions.logOut(await signedIn()),
  };
}

function recordsOf(
  { payments, lists, zone }: InProcessOptions,
  session: SessionPair | undefined,
): PaymentRecords {
  const findStored = async ({ id, type, organizationId }: PaymentId) =>
    onePayment(await (await payments()).findPayments({ id, type, organizationId }), id);

  /** Returns the name of the deciding person: the masked phone of the cashier, or `operator` if nobody is signed in. */
  const deciderName = async () => {
    if (!session) return 'operator';
    try {
      const cashier = await authenticate(await payments(), session);
      return maskPhone(cashier.session.phone);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_signed_in') return 'operator';
      throw error;
    }
  };

  return {
    find: async (payment) => paymentView(await findStored(payment)),
    async waitForOutcome({ id, type, organizationId }, { signal, onChange, onPoll }) {
      const query = { id, type, organizationId };
      const { payment, endedHere } = await (await payments()).waitForOutcome(query, {
        signal,
        onChange: (seen) => onChange?.(paymentView(seen)),
        onPoll: (failure) => onPoll?.(failure),
      });
      return { payment: paymentView(payment), endedHere };
    },
    async payments({ states, limit }) {
      const stored = (await lists()).payments;
      const newest = gatherNewest<Payment & PaymentPosition>(limit + 1, undefined);
      for (const state of states) {
        for await (const payment of stored.list(state)) {
          newest.add({ ...payment, key: paymentKey(payment) });
        }
      }
      const rows = newest.sorted();
      return { rows: rows.slice(0, limit).map(paymentView), more: rows.length > limit };
    },
    refunds: async (query) => newestOf(await pageRefunds(await lists(), query)),
    intents: async (query) => newestOf(await pageIntents(await lists(), query)),
    report: async (day) => addUpDay(await payments(), { day, zone }),
    async closeIntent(id) {
      const { adoption, isKeyTaken } = await payments();
      return intentRow(await adoption.closeIntent(id, await deciderName()), isKeyTaken);
    },
    isWatched: async () => (await lists()).payments.isWatched(),
  };
}

/** Returns a page's rows without their cursors. */
function newestOf<Row>({ rows, hasMore }: RecordPage<Row>) {
  return { rows: rows.map(({ cursor, ...row }) => row), more: hasMore };
}
