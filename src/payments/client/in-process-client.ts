import { AppError } from '../../base/errors.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { gatherNewest } from '../newest.js';
import { onePayment } from '../one-payment.js';
import { type Payment, type PaymentPosition, type PaymentState, paymentKey } from '../payment.js';
import type { IntentRow, RefundView } from '../payment-view.js';
import { intentRow, paymentView } from '../payment-view.js';
import type { Payments } from '../payments.js';
import { maskPhone } from '../phone.js';
import { addUpDay } from '../reconcile/add-up-day.js';
import { intentsIn, type RecordStores, refundsIn } from '../record-pages.js';
import type { Cashier } from '../sessions/sessions.js';
import type { PaymentStore } from '../store.js';
import type {
  CashierCalls,
  FirstAttempt,
  GatewayClient,
  IntentQuery,
  Newest,
  PaymentId,
  PaymentRecords,
  PaymentRow,
  RefundQuery,
  SessionPair,
} from './gateway-client.js';
import { findRefundKey } from './refund-key.js';

export interface InProcessOptions {
  /** The payments, opened when they are asked for. */
  payments(): Promise<Payments>;
  /** What lists are read from, which makes and changes nothing; opened when it is asked for. */
  lists(): Promise<ListedStores & Pick<Payments, 'isWatched' | 'isKeyTaken'>>;
  /** IANA zone of the provider. */
  readonly zone: string;
  sendWebhooks(payment: PaymentRow, signal: AbortSignal): Promise<readonly FirstAttempt[]>;
  /** The present, in milliseconds since the epoch. */
  now(): number;
  close(): Promise<void>;
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
    async cashier(session) {
      const opened = await payments();
      // A session that was logged out stays usable for the outcomes of open payments, not for the cashier.
      const signedIn = () => authenticate(opened, session);
      const { organizationId } = (await signedIn()).session;
      const { intents } = recordsOf(options, session);
      const own: Parameters<typeof findRefundKey>[0] = {
        intents: (query) => intents({ ...query, organizationId }),
        async refunds({ paymentId: id = '', ...query }) {
          const payments = await opened.findPayments({ id, organizationId });
          const since = oldestRefund(payments, options.now());
          const asked = { ...query, paymentId: id, organizationId, since };
          return newestRefunds(await options.lists(), asked);
        },
      };
      return cashierCalls(opened, signedIn, async (order) => {
        // What an interrupted command has left behind counts, too.
        await opened.resolver.recover();
        const instance = await opened.instance();
        return findRefundKey(own, order, instance);
      });
    },
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

/** Returns the calls of a cashier. `signedIn` throws once the session is logged out. */
function cashierCalls(
  { gateway, adoption, reconcile, sessions, isKeyTaken, instance }: Payments,
  signedIn: () => Promise<Cashier>,
  refundKey: CashierCalls['refundKey'],
): CashierCalls {
  return {
    async facts() {
      const { orgName, phone, organizationId, profileId, capabilities } = (await signedIn())
        .session;
      const id = await instance();
      return {
        ...{ orgName, phone, organizationId, profileId },
        ...(id === undefined ? {} : { instance: id }),
        ...(capabilities?.sandbox ? { sandbox: true } : {}),
      };
    },
    findClient: async (phoneNumber) => gateway.findClient(await signedIn(), phoneNumber),
    createInvoice: async (order, repeat) => gateway.createInvoice(await signedIn(), order, repeat),
    invoiceDetails: async (id) => gateway.invoiceDetails(await signedIn(), id),
    cancelInvoice: async (id) => gateway.cancelInvoice(await signedIn(), id),
    invoiceHistory: async () => gateway.invoiceHistory(await signedIn()),
    createQr: async (order, repeat) => gateway.createQr(await signedIn(), order, repeat),
    operations: async (period) => gateway.operations(await signedIn(), period),
    operationDetails: async (id) => gateway.operationDetails(await signedIn(), id),
    refundKey,
    refund: async (order, repeat) => gateway.refund(await signedIn(), order, repeat),
    checkSession: async () => gateway.checkSession(await signedIn()),
    reconcile: async (day, signal) => reconcile(await signedIn(), day, signal),
    async adopt(wanted) {
      const { payment, isNew, settled } = await adoption.adopt(await signedIn(), wanted);
      return {
        payment: paymentView(payment),
        isNew,
        settled: settled.map((each) => intentRow(each, isKeyTaken)),
      };
    },
    logOut: async () => sessions.logOut(await signedIn()),
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
      const { rows, more } = await newestPayments(await lists(), states, limit);
      return { rows: rows.map(paymentView), more };
    },
    refunds: async (query) => newestRefunds(await lists(), query),
    intents: async (query) => newestIntents(await lists(), query),
    report: async (day) => addUpDay(await payments(), { day, zone }),
    async closeIntent(id) {
      const { adoption, isKeyTaken } = await payments();
      return intentRow(await adoption.closeIntent(id, await who()), isKeyTaken);
    },
    isWatched: async () => (await lists()).isWatched(),
  };
}

/** Where lists are read from. */
interface ListedStores extends RecordStores {
  readonly payments: Pick<PaymentStore, 'list'>;
}

function newestPayments(
  { payments }: ListedStores,
  states: readonly PaymentState[],
  limit: number,
): Promise<Newest<Payment>> {
  async function* all() {
    for (const state of states) {
      for await (const row of payments.list(state)) yield found(paymentKey(row), row, row);
    }
  }
  return newest(all(), limit);
}

/** Returns the newest refunds. Those that are in doubt or under way are included unless `only` excludes them. */
export function newestRefunds(
  stores: ListedStores,
  { only, since, limit, ...query }: RefundQuery & { readonly since?: number | undefined },
): Promise<Newest<RefundView>> {
  const isMeant = isOf(query);
  async function* all() {
    for await (const [key, record, row] of refundsIn(stores, { only, since })) {
      if (isMeant(record)) yield found(key, record, row);
    }
  }
  return newest(all(), limit);
}

export function newestIntents(
  stores: Pick<ListedStores, 'intents' | 'underWay' | 'isKeyTaken'>,
  { limit, state, kinds, ...query }: IntentQuery,
): Promise<Newest<IntentRow>> {
  const isMeant = isOf(query);
  async function* all() {
    for await (const [intent, row] of intentsIn(stores, state)) {
      if (isMeant(intent) && kinds.includes(intent.kind)) yield found(intent.id, intent, row);
    }
  }
  return newest(all(), limit);
}

/** Returns a predicate for records of a payment and an organization; an omitted one matches everything. */
function isOf({ paymentId, organizationId }: Pick<IntentQuery, 'paymentId' | 'organizationId'>) {
  return (each: { readonly organizationId: number; readonly paymentId?: string }) =>
    (paymentId === undefined || each.paymentId === paymentId) &&
    (organizationId === undefined || each.organizationId === organizationId);
}

type Found<Row> = PaymentPosition & { readonly row: Row };

function found<Row>(
  key: string,
  { createdAt }: Pick<PaymentPosition, 'createdAt'>,
  row: Row,
): Found<Row> {
  return { key, createdAt, row };
}

/** Holds at most twice the limit in memory, however much is stored. */
async function newest<Row>(all: AsyncIterable<Found<Row>>, limit: number): Promise<Newest<Row>> {
  const gathered = gatherNewest<Found<Row>>(limit + 1, undefined);
  for await (const each of all) gathered.add(each);
  const rows = gathered.sorted().map(({ row }) => row);
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
