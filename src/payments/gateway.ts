import { randomUUID } from 'node:crypto';
import type {
  CreateInvoice,
  CreateQr,
  CreateRefund,
  Operations,
  SessionCheck,
} from '#validators/gateway';
import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { exactInteger } from '../json/exact-json.js';
import { isAmount } from './amount.js';
import { digestOf, type RepeatKey, repeatKeyOf } from './idempotency.js';
import type { Intent } from './intents/intent.js';
import type { MoneyCalls, MoneyOrder } from './intents/money-calls.js';
import type { PaymentName } from './payment.js';
import { maskPhone } from './phone.js';
import { createInTurn, type InTurn } from './providers/guard.js';
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderInputs,
  type ProviderOperation,
  type ProviderOperations,
} from './providers/provider.js';
import type { Cashier, Sessions } from './sessions/sessions.js';
import { askAsCashier } from './sessions/sessions.js';

/** Where a QR payment is made when the client does not say: the centre of Almaty. */
const defaultPlace = { latitude: 43.238949, longitude: 76.889709 } as const;

/**
 * Calls of one session under way at the provider; further ones wait their turn. One cashier whom a slow provider
 * keeps waiting must not use up the calls that watching everybody's payments needs. @bound
 */
const callsPerSession = 64;

/** The session's own profile by default. */
interface ForProfile {
  readonly profileId?: number | undefined;
}

export type InvoiceOrder = CreateInvoice & ForProfile;
export type QrOrder = CreateQr & ForProfile;

/**
 * The calls that a signed-in cashier can make. Every answer is the provider's own, unchanged; failures are ProviderErrors
 * (`not_found`, `refused`, `session_ended`, `provider_error`). Calls that move money take a key under which the same
 * request may be repeated. Their failures have `outcome: "unknown"` if money may have moved, and are `in_doubt` if that is
 * not known of an earlier request with the key.
 */
export interface CashierGateway {
  findClient(phoneNumber: string): Promise<ProviderAnswer>;
  /** Bills a client's phone; the payment is watched from then on. */
  createInvoice(order: InvoiceOrder, repeat?: RepeatKey): Promise<ProviderAnswer>;
  invoiceDetails(operationId: string): Promise<ProviderAnswer>;
  cancelInvoice(operationId: string): Promise<ProviderAnswer>;
  /** The organization's latest 20. */
  invoiceHistory(): Promise<ProviderAnswer>;
  /** Makes a QR token; the payment is watched from then on. */
  createQr(order: QrOrder, repeat?: RepeatKey): Promise<ProviderAnswer>;
  qrStatus(qrOperationId: string): Promise<ProviderAnswer>;
  operations(period: Operations): Promise<ProviderAnswer>;
  operationDetails(id: number | bigint, method?: number): Promise<ProviderAnswer>;
  /** Returns an amount (tenge) of a paid operation. */
  refund(order: CreateRefund, repeat?: RepeatKey): Promise<ProviderAnswer>;
  checkSession(): Promise<SessionCheck>;
}

/** The gateway, used in the name of one cashier at a time. */
export interface Gateway {
  as(cashier: Cashier): CashierGateway;
}

/** What is written down of a call that moves money. */
type Act = Omit<MoneyOrder, 'cashier' | 'repeat' | 'ask' | 'present'>;

export interface GatewayOptions {
  readonly provider: ProviderOperations;
  readonly sessions: Sessions;
  readonly calls: MoneyCalls;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Called with a payment that has probably changed. */
  onTouched(payment: PaymentName): void;
  /** Called with what the provider said of an operation that a client asked for. */
  onRead(name: PaymentName, answer: ProviderAnswer): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const inTurn = createInTurn(callsPerSession, options.clock);
  return { as: (cashier) => boundTo(cashier, { ...options, inTurn }) };
}

/** Calls that have begun are finished, whatever becomes of the client: they may move money. */
function boundTo(
  cashier: Cashier,
  options: GatewayOptions & { readonly inTurn: InTurn },
): CashierGateway {
  const { provider, sessions, calls, audit, clock, onTouched, onRead, inTurn } = options;
  const { organizationId, phone } = cashier.session;

  async function ask<Name extends ProviderOperation>(
    name: Name,
    given: Omit<ProviderInputs[Name], 'session'>,
    how: Omit<ProviderCall, 'signal'> = {},
  ): Promise<ProviderAnswer> {
    const { signal } = new AbortController();
    const { key, credentials: session } = cashier;
    const input = { ...given, session } as ProviderInputs[Name]; // Whole again with the session.
    const asking = () => inTurn(key, () => provider[name](input, { signal, ...how }));
    return askAsCashier(sessions, cashier, asking);
  }

  async function read(type: PaymentName['type'], id: string): Promise<ProviderAnswer> {
    const answer = await (type === 'qr'
      ? ask('qrStatus', { qrOperationId: id })
      : ask('invoiceDetails', { operationId: id }));
    await onRead({ organizationId, type, id }, answer);
    return answer;
  }

  /** What has become of what a request has made, once that is known. */
  function present({ kind, operationId = '', paymentId = '' }: Intent) {
    if (kind !== 'refund') return read(kind, operationId);
    return ask('operationDetails', { id: exactInteger(paymentId), operationMethod: 0 });
  }

  /** Makes a call that moves money, on disk before and after. */
  async function perform<Name extends 'createInvoice' | 'createQr' | 'refund'>(
    act: Act,
    [name, input]: readonly [Name, Omit<ProviderInputs[Name], 'session'>],
    repeat: RepeatKey = repeatKeyOf(''),
  ): Promise<ProviderAnswer> {
    assertAmount(act.amount, act.kind === 'refund' ? '/returnAmount' : '/amount');
    return calls.perform({ ...act, cashier, repeat, ask: (how) => ask(name, input, how), present });
  }

  async function cancel(operationId: string): Promise<ProviderAnswer> {
    const note = (outcome: 'success' | 'failed' | 'unknown') =>
      audit.add({
        id: randomUUID(),
        time: clock.now(),
        kind: 'cancel',
        who: maskPhone(phone),
        amount: null,
        ids: { organization: String(organizationId), payment: operationId },
        outcome,
      });
    try {
      const answer = await ask('cancelInvoice', { operationId });
      await note('success');
      return answer;
    } catch (error) {
      if (error instanceof ProviderError) await note(error.isClear ? 'failed' : 'unknown');
      throw error;
    } finally {
      onTouched({ organizationId, type: 'invoice', id: operationId });
    }
  }

  return {
    findClient: (phoneNumber) => ask('findClient', { phoneNumber }),
    createInvoice(order, repeat) {
      const { profileId = cashier.session.profileId, phoneNumber, amount, comment } = order;
      const { reference } = order;
      const input = { profileId, phoneNumber, amount, ...(comment ? { comment } : {}) };
      const body = digestOf({ ...order, profileId });
      const facts = { amount, profileId, clientPhone: phoneNumber, reference, body };
      return perform({ kind: 'invoice', ...facts }, ['createInvoice', input], repeat);
    },
    invoiceDetails: (operationId) => read('invoice', operationId),
    cancelInvoice: (operationId) => calls.track(cancel(operationId)),
    invoiceHistory: () => ask('invoiceHistory', {}),
    createQr(order, repeat) {
      const { profileId = cashier.session.profileId, amount, reference } = order;
      const { latitude = defaultPlace.latitude, longitude = defaultPlace.longitude } = order;
      const input = { profileId, amount, latitude, longitude };
      const body = digestOf({ ...order, profileId });
      return perform(
        { kind: 'qr', amount, profileId, reference, body },
        ['createQr', input],
        repeat,
      );
    },
    qrStatus: (qrOperationId) => read('qr', qrOperationId),
    operations: ({ endDate, lastTransactionDate, statementPeriodCode = 0 }) => {
      const older = lastTransactionDate ? { lastTransactionDate } : {};
      return ask('operations', { endDate, ...older, statementPeriodCode });
    },
    operationDetails: (id, operationMethod = 0) => ask('operationDetails', { id, operationMethod }),
    refund(order, repeat) {
      const { qrOperationId, returnAmount: amount } = order;
      const { profileId } = cashier.session;
      const facts = { amount, profileId, paymentId: String(qrOperationId), body: digestOf(order) };
      const input = { qrOperationId, returnAmount: amount };
      return perform({ kind: 'refund', ...facts }, ['refund', input], repeat);
    },
    async checkSession() {
      try {
        await ask('checkSession', {});
        return { active: true };
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'session_ended') return ended(error);
        throw error;
      }
    },
  };
}

function ended(error: ProviderError): SessionCheck {
  const details = error.details as ProviderAnswer; // A ProviderError's details are an answer.
  const { StatusCode } = details;
  const code = typeof StatusCode === 'number' ? StatusCode : 401;
  return { active: false, error: error.message, code, details };
}

function assertAmount(amount: number, path: string): void {
  if (isAmount(amount)) return;
  throw new AppError('validation_failed', 'The amount is not an amount of money.', {
    details: [{ path, message: 'must be more than 0, in tenge with at most two decimals' }],
  });
}
