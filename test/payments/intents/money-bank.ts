import type { Clock } from '../../../src/base/clock.js';
import {
  everyOperation,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderInputs,
  type ProviderOperation,
} from '../../../src/payments/providers/provider.js';
import { formatProviderTime } from '../../../src/payments/zoned-time.js';

/** The bank's behaviour in a call that moves money. */
export type Deed =
  | 'answers'
  | 'refuses'
  /** The connection breaks after the operation was made, or before. */
  | 'breaks after'
  | 'breaks before'
  /** Makes the operation immediately, and answers after this number of milliseconds. */
  | { readonly lateBy: number }
  /** Makes the operation and answers after this number of milliseconds. */
  | { readonly makesLateBy: number }
  /** Refuses the operation after this number of milliseconds. */
  | { readonly refusesLateBy: number }
  /** Accepts the call without an answer, and makes the operation after this number of milliseconds. */
  | { readonly queuedFor: number }
  /** Makes the operation. Every answer contains this amount or currency. */
  | { readonly writes: unknown }
  | { readonly currency: string }
  /** Makes the operation with a different amount, which the answers contain. */
  | { readonly makes: number }
  /** Assigns the ID of an existing operation to the new operation. */
  | 'repeats an id'
  | 'answers without an id'
  /** Makes the operation and answers with this `Data`. */
  | { readonly says: Readonly<Record<string, unknown>> };

/** An operation that the bank has made. */
export interface Operation {
  readonly id: string;
  readonly kind: 'qr' | 'invoice' | 'refund';
  readonly organizationId: number;
  readonly profileId: number;
  readonly key: string;
  /** Tenge. */
  readonly amount: number;
  /** The requested amount in tenge. */
  readonly ordered: number;
  readonly clientPhone?: string;
  /** The refunded operation. */
  readonly paymentId?: string;
  /** By the bank's clock. */
  readonly madeAt: number;
  /** The amount in answers. */
  readonly shown: { readonly Amount: unknown; readonly Currency?: string };
  /** True if it was made by another till or in the bank's app. */
  readonly isForeign?: true;
  status: string;
}

/** Readable amounts, and their values in tenge. */
export const readableAmounts: ReadonlyMap<unknown, number> = new Map([
  ['15 ₸', 15],
  ['100,00 ₸', 100],
  ['200', 200],
]);

/** Returns the amount in an answer, in tenge, or undefined if it is unreadable. */
export function tengeIn({ Amount, Currency }: Operation['shown']): number | undefined {
  if (Currency !== undefined) return undefined;
  return typeof Amount === 'number' ? Amount : readableAmounts.get(Amount);
}

/** The bank's message for a session that it has ended. */
export const sessionEnded = 'The session has ended.';

type OperationRequest = Pick<
  Operation,
  'kind' | 'organizationId' | 'profileId' | 'amount' | 'clientPhone' | 'paymentId'
>;

export interface MoneyBank extends PaymentProvider {
  /** All operations in order. */
  readonly book: Operation[];
  /** Calls that move money, including failed calls, in order. */
  readonly asked: readonly {
    readonly name: ProviderOperation;
    readonly key: string;
    /** By the wall clock. */
    readonly at: number;
  }[];
  /** The behaviour for the next calls that move money. All later calls are answered. */
  readonly deeds: Deed[];
  /** While true, no call reaches the bank. */
  isAway: boolean;
  /** Delay of the next history read, in milliseconds. */
  slowness: number;
  /** Time by which the bank's clock is ahead, in milliseconds. */
  skew: number;
  /** Fixed answers to reads, by operation ID. */
  readonly said: Map<string, ProviderAnswer>;
  /** The tokens of ended sessions. */
  readonly ended: string[];
  /** True while any call is queued. */
  readonly hasQueue: boolean;
  /** Returns true if a call with an open connection is queued. */
  isAnswering(call: Pick<Operation, 'kind' | 'organizationId' | 'key'>): boolean;
  /** Returns the total queue time of an accepted call, in milliseconds, or undefined if the call is not queued. */
  queuedFor(call: Pick<Operation, 'kind' | 'organizationId' | 'key'>): number | undefined;
  /** Makes an operation that our gateway did not request. */
  makeForeign(request: OperationRequest): Operation;
  /** Returns an operation. The caller can change its status. */
  find(kind: Operation['kind'], organizationId: number, id: string): Operation | undefined;
}

export interface MoneyBankOptions {
  readonly clock: Clock;
  readonly zone: string;
  readonly capabilities: { readonly idempotent: boolean; readonly lookup: boolean };
  /** True if refunds have IDs of their own. */
  readonly hasRefundIds?: boolean;
  /** True if rows of the history and of returns contain the key of the request. */
  readonly hasKeysInHistory?: boolean;
  /** True if IDs are integers that do not fit in a double. */
  readonly hasLongIds?: boolean;
  /** True if invoices have a `QrOperationId` in addition to `Id`, and history rows have no type. */
  readonly hasTwoIds?: boolean;
}

type Called<Name extends ProviderOperation> = ProviderInputs[Name];

/**
 * Creates a bank that a test controls, with a book of its operations. Its clock follows the monotonic time, so changes
 * to the machine's wall clock do not affect it. IDs are numbered by organization and kind.
 */
export function createMoneyBank(options: MoneyBankOptions): MoneyBank {
  const { clock, zone, capabilities, hasRefundIds = true, hasKeysInHistory = false } = options;
  const { hasLongIds = false, hasTwoIds = false } = options;
  const firstId = hasLongIds ? 9_007_199_254_740_993n : 1_001n;
  const epoch = clock.now() - clock.monotonic();
  const operations: Operation[] = [];
  const deeds: Deed[] = [];
  const asked: { name: ProviderOperation; key: string; at: number }[] = [];
  const said = new Map<string, ProviderAnswer>();
  const ended: string[] = [];
  /** Queued calls: their queue time in milliseconds, and the monotonic time at which they were queued. */
  const queued = new Map<string, { readonly planned: number; readonly since: number }>();
  /** Queued calls with open connections. */
  const answering = new Set<string>();
  const placeOf = (call: Parameters<MoneyBank['queuedFor']>[0]) =>
    [call.kind, call.organizationId, call.key].join();
  const state = { isAway: false, skew: 0, slowness: 0 };

  const time = () => epoch + clock.monotonic() + state.skew;
  const broken = () => new ProviderError('failure', 'The connection broke.');
  const success = (Data: object): ProviderAnswer => ({ StatusCode: 0, Data });
  /** Returns the organization in a token, which has the form `<organization>-<number>`. */
  const organizationOf = ({ session }: { session: { tokenSN: string } }) =>
    Number(session.tokenSN.split('-')[0]);

  function check({ session }: { session: { tokenSN: string } }): void {
    if (!ended.includes(session.tokenSN)) return;
    throw new ProviderError('session_ended', sessionEnded);
  }

  const find: MoneyBank['find'] = (kind, organizationId, id) =>
    operations.findLast(
      (each) => each.kind === kind && each.organizationId === organizationId && each.id === id,
    );

  const returned = ({ Amount: ReturnAmount, ...shown }: Operation['shown']) => ({
    ...{ ReturnAmount, ...shown },
  });

  /** Returns both IDs of an invoice, or the only ID of other operations. */
  const invoiceIds = (id: string) => (hasTwoIds ? { Id: id, QrOperationId: `7${id}` } : { Id: id });

  function answerOf(operation: Operation): ProviderAnswer {
    const { id, kind, status, paymentId, clientPhone, shown } = operation;
    if (kind === 'qr') return success({ QrOperationId: id, ...shown, Status: status });
    if (kind === 'invoice') {
      return success({
        ...{ ...invoiceIds(id), ...shown },
        ...{ Status: status, ClientMobile: clientPhone },
      });
    }
    const own = hasRefundIds ? { Id: id } : {};
    return success({ ...own, QrOperationId: paymentId, ...returned(shown), Status: status });
  }

  function record(
    request: OperationRequest & Pick<Operation, 'key'> & Partial<Operation>,
    id?: string,
  ): Operation {
    const { kind, organizationId } = request;
    const isOf = (each: Operation) => each.kind === kind && each.organizationId === organizationId;
    const number = firstId + BigInt(operations.filter(isOf).length);
    const first = kind === 'qr' ? 'QrTokenCreated' : 'RemotePaymentCreated';
    const status = kind === 'refund' ? 'Processed' : first;
    const made = {
      ...{ shown: { Amount: request.amount }, ordered: request.amount, ...request },
      ...{ id: id ?? String(number), madeAt: time(), status },
    };
    operations.push(made);
    return made;
  }

  async function move(
    name: ProviderOperation,
    request: OperationRequest,
    { idempotencyKey: key = '', signal }: ProviderCall,
  ): Promise<ProviderAnswer> {
    asked.push({ name, key, at: clock.now() });
    if (state.isAway) throw broken();
    const { kind, organizationId } = request;
    const isSame = (each: Operation) =>
      each.kind === kind && each.organizationId === organizationId && each.key === key;
    const place = placeOf({ kind, organizationId, key });
    const before = capabilities.idempotent ? operations.find(isSame) : undefined;
    const deed = deeds.shift() ?? 'answers';
    if (deed === 'breaks before') throw broken();
    // An idempotent bank does not accept a queued call twice.
    if (capabilities.idempotent && queued.has(place)) throw broken();
    if (typeof deed === 'object' && 'queuedFor' in deed) {
      queued.set(place, { planned: deed.queuedFor, since: clock.monotonic() });
      void clock.sleep(deed.queuedFor).then(() => {
        queued.delete(place);
        if (!capabilities.idempotent || !operations.some(isSame)) record({ ...request, key });
      });
      throw broken();
    }
    if (before) {
      if (deed === 'breaks after') throw broken();
      return answerOf(before);
    }
    if (deed === 'refuses') throw new ProviderError('refused', 'No.');
    if (typeof deed === 'object' && 'refusesLateBy' in deed) {
      await clock.sleep(deed.refusesLateBy, signal);
      throw new ProviderError('refused', 'No, in the end.');
    }
    if (typeof deed === 'object' && 'makesLateBy' in deed) {
      queued.set(place, { planned: deed.makesLateBy, since: clock.monotonic() });
      answering.add(place);
      await clock.sleep(deed.makesLateBy);
      queued.delete(place);
      answering.delete(place);
    }
    const amount = typeof deed === 'object' && 'makes' in deed ? deed.makes : request.amount;
    const last = operations.findLast(
      (each) => each.kind === kind && each.organizationId === organizationId,
    );
    const id = deed === 'repeats an id' ? last?.id : undefined;
    const shown = {
      Amount: typeof deed === 'object' && 'writes' in deed ? deed.writes : amount,
      ...(typeof deed === 'object' && 'currency' in deed ? { Currency: deed.currency } : {}),
    };
    const made = record({ ...request, ordered: request.amount, amount, key, shown }, id);
    if (deed === 'breaks after') throw broken();
    if (deed === 'answers without an id') return success({ Amount: amount });
    if (typeof deed === 'object' && 'says' in deed) return success(deed.says);
    if (typeof deed === 'object' && 'lateBy' in deed) await clock.sleep(deed.lateBy, signal);
    // The offset of the bank's clock may have changed in the meantime.
    return answerOf(operations.findLast((each) => isSame(each)) ?? made);
  }

  function row(operation: Operation) {
    const { id, kind, organizationId, profileId, shown, clientPhone, status, madeAt } = operation;
    const keyOf = ({ key }: Operation) => (hasKeysInHistory ? { IdempotencyKey: key } : {});
    const isReturn = (each: Operation) =>
      each.kind === 'refund' && each.organizationId === organizationId && each.paymentId === id;
    return {
      ...(kind === 'qr' ? { QrOperationId: id } : invoiceIds(id)),
      OperationType: kind === 'qr' ? 'Qr' : hasTwoIds ? undefined : 'Invoice',
      ProfileId: profileId,
      ...shown,
      ClientMobile: clientPhone,
      Status: status,
      TransactionDate: formatProviderTime(madeAt, zone),
      ...keyOf(operation),
      Returns: operations.filter(isReturn).map((each) => ({
        Id: each.id,
        ...returned(each.shown),
        TransactionDate: formatProviderTime(each.madeAt, zone),
        ...keyOf(each),
      })),
    };
  }

  function one(kind: 'qr' | 'invoice', input: { session: { tokenSN: string } }, id: string) {
    check(input);
    const fixed = said.get(id);
    if (fixed) return fixed;
    const found = find(kind, organizationOf(input), id);
    if (!found) throw new ProviderError('not_found', 'There is no such operation.');
    return success(row(found));
  }

  const other = everyOperation<unknown>((name) => async () => {
    throw new Error(`The bank of tests has no ${name}.`);
  });
  const reads = {
    async qrStatus(input: Called<'qrStatus'>) {
      return one('qr', input, input.qrOperationId);
    },
    async invoiceDetails(input: Called<'invoiceDetails'>) {
      return one('invoice', input, input.operationId);
    },
    async operationDetails(input: Called<'operationDetails'>) {
      return one('qr', input, String(input.id));
    },
    async operations(input: Called<'operations'>) {
      check(input);
      const { slowness } = state;
      state.slowness = 0;
      if (slowness > 0) await clock.sleep(slowness);
      const organization = organizationOf(input);
      const matching = operations.filter(
        ({ organizationId, kind }) => organizationId === organization && kind !== 'refund',
      );
      return success({ Operations: matching.map(row).reverse() });
    },
    async lookup(input: Called<'lookup'>, { idempotencyKey: key }: ProviderCall) {
      check(input);
      const kinds = { 'qr/create': 'qr', 'invoices/create': 'invoice', 'refunds/create': 'refund' };
      const made = operations.find(
        (each) =>
          each.kind === kinds[input.operation] &&
          each.organizationId === organizationOf(input) &&
          each.key === key,
      );
      if (!made) throw new ProviderError('not_found', 'Nothing was made under this key.');
      return answerOf(made);
    },
    async cancelInvoice(input: Called<'cancelInvoice'>) {
      check(input);
      return success({});
    },
  };
  const readsWhileThere = Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      async (input: never, call: ProviderCall) => {
        if (state.isAway) throw broken();
        return read(input, call);
      },
    ]),
  ) as unknown as typeof reads; // fromEntries loses the names.

  return {
    ...other,
    ...readsWhileThere,
    async createQr(input, call) {
      check(input);
      const { profileId, amount } = input;
      const organizationId = organizationOf(input);
      return move('createQr', { kind: 'qr', organizationId, profileId, amount }, call);
    },
    async createInvoice(input, call) {
      check(input);
      const { profileId, amount, phoneNumber: clientPhone } = input;
      const organizationId = organizationOf(input);
      const request = { kind: 'invoice', organizationId, profileId, amount, clientPhone } as const;
      return move('createInvoice', request, call);
    },
    async refund(input, call) {
      check(input);
      const organizationId = organizationOf(input);
      const paymentId = String(input.qrOperationId);
      const amount = input.returnAmount;
      const request = { kind: 'refund', organizationId, profileId: 1, amount, paymentId } as const;
      return move('refund', request, call);
    },
    async endSession({ session }) {
      ended.push(session.tokenSN);
      return success({});
    },
    async close() {},
    book: operations,
    asked,
    deeds,
    said,
    ended,
    queuedFor(call) {
      const { planned = 0, since } = queued.get(placeOf(call)) ?? {};
      // The bank does not run while a test moves the clock.
      return since === undefined ? undefined : Math.max(planned, clock.monotonic() - since);
    },
    isAnswering: (call) => answering.has(placeOf(call)),
    find,
    makeForeign(request) {
      const key = `foreign ${operations.length}`;
      return record({ ...request, key, isForeign: true });
    },
    get hasQueue() {
      return queued.size > 0;
    },
    get isAway() {
      return state.isAway;
    },
    set isAway(isAway) {
      state.isAway = isAway;
    },
    get slowness() {
      return state.slowness;
    },
    set slowness(slowness) {
      state.slowness = slowness;
    },
    get skew() {
      return state.skew;
    },
    set skew(skew) {
      state.skew = skew;
    },
  };
}
