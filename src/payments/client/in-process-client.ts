import type { PaymentRow } from '#validators/gateway';
import { AppError } from '../../base/errors.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { onePayment } from '../one-payment.js';
import { gatherNewest, type Payment, type PaymentPosition, paymentKey } from '../payment.js';
import { intentRow, paymentView } from '../payment-view.js';
import type { Payments } from '../payments.js';
import { maskPhone } from '../phone.js';
import { addUpDay } from '../reconcile/day-report.js';
import { pageIntents, pageRefunds, type RecordPage, type RecordStores } from '../record-pages.js';
import type { Cashier } from '../sessions/sessions.js';
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
  /** The payments, opened when they are asked for. */
  payments(): Promise<Payments>;
  /** What lists are read from, which makes and changes nothing; opened when it is asked for. */
  lists(): Promise<ListedStores>;
  /** IANA zone of the provider. */
  readonly zone: string;
  sendWebhooks(payment: PaymentRow, signal: AbortSignal): Promise<readonly FirstAttempt[]>;
  /** The present, in milliseconds since the epoch. */
  now(): number;
  close(): Promise<void>;
}

/** Where lists are read from. */
interface ListedStores extends RecordStores {
  readonly payments: Pick<PaymentStore, 'list' | 'isWatched'>;
}

/** The gateway on the data itself, beside any number of others that work on it. */
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
    throw new AppError('not_signed_in', 'The session is not valid here any more.', {
      hint: 'Sign in with msgsite pay login. A session belongs to the data folder or database it was made with.',
      cause: error,
    });
  }
}

/** Each call looks first whether the session still is the cashier's, as somebody may have signed out elsewhere. */
async function cashierOf(
  { lists, now }: InProcessOptions,
  payments: Payments,
  session: SessionPair,
): Promise<CashierCalls> {
  // A session that was logged out stays usable for the outcomes of open payments, not for the cashier.
  const signedIn = () => authenticate(payments, session);
  const bank = async () => payments.gateway.as(await signedIn());
  const { organizationId } = (await signedIn()).session;
  return {
    async facts() {
      const { orgName, phone, organizationId, profileId, capabilities } = (await signedIn())
        .session;
      const instance = await payments.instance();
      return {
        ...{ orgName, phone, organizationId, profileId },
        ...(instance === undefined ? {} : { instance }),
        ...(capabilities?.sandbox ? { sandbox: true } : {}),
      };
    },
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
      // What an interrupted command has left behind counts, too.
      await payments.resolver.recover();
      const own: Parameters<typeof findRefundKey>[0] = {
        intents: async (query) =>
          newestOf(await pageIntents(await lists(), { ...query, organizationId })),
        async refunds({ paymentId: id = '', ...query }) {
          const since = oldestRefund(await payments.findPayments({ id, organizationId }), now());
          const asked = { ...query, paymentId: id, organizationId, since };
          return newestOf(await pageRefunds(await lists(), asked));
        },
      };
      return findRefundKey(own, order, await payments.instance());
    },
    reconcile: async (day, signal) => payments.reconcile(await signedIn(), day, signal),
    async adopt(wanted) {
      const { adoption, isKeyTaken } = payments;
      const { payment, isNew, settled } = await adoption.adopt(await signedIn(), wanted);
      return {
        payment: paymentView(payment),
        isNew,
        settled: settled.map((each) => intentRow(each, isKeyTaken)),
      };
    },
    logOut: async () => payments.sessions.logOut(await signedIn()),
  };
}

function recordsOf(
  { payments, lists, zone }: InProcessOptions,
  session: SessionPair | undefined,
): PaymentRecords {
  const own = async ({ id, type, organizationId }: PaymentId) =>
    onePayment(await (await payments()).findPayments({ id, type, organizationId }), id);

  /** Whoever decides without being signed in is the operator of the machine. */
  const who = async () => {
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
    find: async (payment) => paymentView(await own(payment)),
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
      return intentRow(await adoption.closeIntent(id, await who()), isKeyTaken);
    },
    isWatched: async () => (await lists()).payments.isWatched(),
  };
}

/** Rows without the cursors that pages need. */
function newestOf<Row>({ rows, hasMore }: RecordPage<Row>) {
  return { rows: rows.map(({ cursor, ...row }) => row), more: hasMore };
}
