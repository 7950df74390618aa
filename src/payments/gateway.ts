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
import { createInTurn } from './providers/in-turn.js';
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderInputs,
  type ProviderOperation,
  type ProviderOperations,
} from './providers/provider.js';
import { askAsCashier } from './sessions/ask-as-organization.js';
import type { Cashier, Sessions } from './sessions/sessions.js';

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
export interface Gateway {
  findClient(cashier: Cashier, phoneNumber: string): Promise<ProviderAnswer>;
  /** Bills a client's phone; the payment is watched from then on. */
  createInvoice(cashier: Cashier, order: InvoiceOrder, repeat?: RepeatKey): Promise<ProviderAnswer>;
  invoiceDetails(cashier: Cashier, operationId: string): Promise<ProviderAnswer>;
  cancelInvoice(cashier: Cashier, operationId: string): Promise<ProviderAnswer>;
  /** The organization's latest 20. */
  invoiceHistory(cashier: Cashier): Promise<ProviderAnswer>;
  /** Makes a QR token; the payment is watched from then on. */
  createQr(cashier: Cashier, order: QrOrder, repeat?: RepeatKey): Promise<ProviderAnswer>;
  qrStatus(cashier: Cashier, qrOperationId: string): Promise<ProviderAnswer>;
  operations(cashier: Cashier, period: Operations): Promise<ProviderAnswer>;
  operationDetails(cashier: Cashier, id: number | bigint, method?: number): Promise<ProviderAnswer>;
  /** Returns an amount (tenge) of a paid operation. */
  refund(cashier: Cashier, order: CreateRefund, repeat?: RepeatKey): Promise<ProviderAnswer>;
  checkSession(cashier: Cashier): Promise<SessionCheck>;
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
  const { provider, sessions, calls, audit, clock, onTouched, onRead } = options;
  const inTurn = createInTurn(callsPerSession, clock);

  /** Calls that have begun are finished, whatever becomes of the client: they may move money. */
  async function ask<Name extends ProviderOperation>(
    { key, credentials: session }: Cashier,
    name: Name,
    given: Omit<ProviderInputs[Name], 'session'>,
    how: Omit<ProviderCall, 'signal'> = {},
  ): Promise<ProviderAnswer> {
    const { signal } = new AbortController();
    const input = { ...given, session } as ProviderInputs[Name]; // Whole again with the session.
    const asking = () => inTurn(key, () => provider[name](input, { signal, ...how }));
    return askAsCashier(sessions, { key }, asking);
  }

  async function read(
    cashier: Cashier,
    type: PaymentName['type'],
    id: string,
  ): Promise<ProviderAnswer> {
    const answer = await (type === 'qr'
      ? ask(cashier, 'qrStatus', { qrOperationId: id })
      : ask(cashier, 'invoiceDetails', { operationId: id }));
    await onRead({ organizationId: cashier.session.organizationId, type, id }, answer);
    return answer;
  }

  /** What has become of what a request has made, once that is known. */
  function present(cashier: Cashier, { kind, operationId = '', paymentId = '' }: Intent) {
    if (kind !== 'refund') return read(cashier, kind, operationId);
    return ask(cashier, 'operationDetails', { id: exactInteger(paymentId), operationMethod: 0 });
  }

  /** Makes a call that moves money, on disk before and after. */
  async function perform<Name extends 'createInvoice' | 'createQr' | 'refund'>(
    cashier: Cashier,
    act: Act,
    [name, input]: readonly [Name, Omit<ProviderInputs[Name], 'session'>],
    repeat: RepeatKey = repeatKeyOf(''),
  ): Promise<ProviderAnswer> {
    assertAmount(act.amount, act.kind === 'refund' ? '/returnAmount' : '/amount');
    return calls.perform({
      ...act,
      cashier,
      repeat,
      ask: (how) => ask(cashier, name, input, how),
      present: (intent) => present(cashier, intent),
    });
  }

  async function cancel(cashier: Cashier, operationId: string): Promise<ProviderAnswer> {
    const { organizationId, phone } = cashier.session;
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
      const answer = await ask(cashier, 'cancelInvoice', { operationId });
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
    findClient: (cashier, phoneNumber) => ask(cashier, 'findClient', { phoneNumber }),
    createInvoice(cashier, order, repeat) {
      const { profileId = cashier.session.profileId, phoneNumber, amount, comment } = order;
      const { reference } = order;
      const input = { profileId, phoneNumber, amount, ...(comment ? { comment } : {}) };
      const body = digestOf({ ...order, profileId });
      const facts = { amount, profileId, clientPhone: phoneNumber, reference, body };
      return perform(cashier, { kind: 'invoice', ...facts }, ['createInvoice', input], repeat);
    },
    invoiceDetails: (cashier, operationId) => read(cashier, 'invoice', operationId),
    cancelInvoice: (cashier, operationId) => calls.track(cancel(cashier, operationId)),
    invoiceHistory: (cashier) => ask(cashier, 'invoiceHistory', {}),
    createQr(cashier, order, repeat) {
      const { profileId = cashier.session.profileId, amount, reference } = order;
      const { latitude = defaultPlace.latitude, longitude = defaultPlace.longitude } = order;
      const input = { profileId, amount, latitude, longitude };
      const body = digestOf({ ...order, profileId });
      const facts = { amount, profileId, reference, body };
      return perform(cashier, { kind: 'qr', ...facts }, ['createQr', input], repeat);
    },
    qrStatus: (cashier, qrOperationId) => read(cashier, 'qr', qrOperationId),
    operations: (cashier, { endDate, lastTransactionDate, statementPeriodCode = 0 }) => {
      const older = lastTransactionDate ? { lastTransactionDate } : {};
      return ask(cashier, 'operations', { endDate, ...older, statementPeriodCode });
    },
    operationDetails: (cashier, id, operationMethod = 0) =>
      ask(cashier, 'operationDetails', { id, operationMethod }),
    refund(cashier, order, repeat) {
      const { qrOperationId, returnAmount: amount } = order;
      const { profileId } = cashier.session;
      const facts = { amount, profileId, paymentId: String(qrOperationId), body: digestOf(order) };
      const input = { qrOperationId, returnAmount: amount };
      return perform(cashier, { kind: 'refund', ...facts }, ['refund', input], repeat);
    },
    async checkSession(cashier) {
      try {
        await ask(cashier, 'checkSession', {});
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
