import { randomUUID } from 'node:crypto';
import type {
  CreateInvoice,
  CreateQr,
  CreateRefund,
  Operations,
  SessionCheck,
} from '#validators/gateway';
import { AppError } from '../base/errors.js';
import { exactInteger } from '../json/exact-json.js';
import { isAmount } from './amount.js';
import { digestOf, type RepeatKey, repeatKeyOf } from './idempotency.js';
import type { Intent } from './intents/intent.js';
import type { MoneyCalls, MoneyOrder } from './intents/money-calls.js';
import type { PaymentParts } from './parts.js';
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
import { askAsCashier, type Cashier } from './sessions/sessions.js';

/** Default location of a QR payment: the centre of Almaty. */
const defaultLocation = { latitude: 43.238949, longitude: 76.889709 } as const;

/**
 * Maximum number of concurrent calls to the provider per session. Further calls are queued, so that one cashier cannot
 * block the polling of other payments. @bound
 */
const callsPerSession = 64;

interface ForProfile {
  /** The session's profile by default. */
  readonly profileId?: number | undefined;
}

export type InvoiceOrder = CreateInvoice & ForProfile;
export type QrOrder = CreateQr & ForProfile;

/**
 * The calls that a signed-in cashier can make. They return the provider's answers unchanged and throw ProviderErrors
 * (`not_found`, `refused`, `session_ended`, `provider_error`). Calls that move money accept an idempotency key for
 * repeating the request. Their errors have `outcome: "unknown"` if money may have moved, and are `in_doubt` if the
 * outcome of an earlier request with the key is unknown.
 */
export type CashierGateway = ReturnType<typeof boundTo>;

/** The stored facts of a call that moves money. */
type Act = Omit<MoneyOrder, 'cashier' | 'repeat' | 'ask' | 'present'>;

interface GatewayOptions extends PaymentParts {
  readonly calls: MoneyCalls;
  /** Called for a payment that has probably changed. */
  onTouched(payment: PaymentName): void;
  /** Called with the provider's answer about an operation that a client requested. */
  onRead(name: PaymentName, answer: ProviderAnswer): Promise<void>;
}

/** Creates the gateway, which calls the provider on behalf of cashiers. */
export function createGateway(options: GatewayOptions) {
  const inTurn = createInTurn(callsPerSession, options.clock);
  return { as: (cashier: Cashier) => boundTo(cashier, { ...options, inTurn }) };
}

/** Creates the calls of one cashier. A call continues after its client disconnects, because it may move money. */
function boundTo(cashier: Cashier, options: GatewayOptions & { readonly inTurn: InTurn }) {
  const { sessions, calls, audit, clock, onTouched, onRead, inTurn } = options;
  const provider: ProviderOperations = options.provider;
  const { organizationId, phone } = cashier.session;

  async function ask<Name extends ProviderOperation>(
    name: Name,
    fields: Omit<ProviderInputs[Name], 'session'>,
    callOptions: Omit<ProviderCall, 'signal'> = {},
  ): Promise<ProviderAnswer> {
    const { signal } = new AbortController();
    const { key, credentials: session } = cashier;
    const input = { ...fields, session } as ProviderInputs[Name]; // The session was the only missing member.
    const call = () => inTurn(key, () => provider[name](input, { signal, ...callOptions }));
    return askAsCashier(sessions, cashier, call);
  }

  async function read(type: PaymentName['type'], id: string): Promise<ProviderAnswer> {
    const answer = await (type === 'qr'
      ? ask('qrStatus', { qrOperationId: id })
      : ask('invoiceDetails', { operationId: id }));
    await onRead({ organizationId, type, id }, answer);
    return answer;
  }

  /** Returns the provider's current answer about the operation that an earlier request created. */
  function present({ kind, operationId = '', paymentId = '' }: Intent) {
    if (kind !== 'refund') return read(kind, operationId);
    return ask('operationDetails', { id: exactInteger(paymentId), operationMethod: 0 });
  }

  /** Makes a call that moves money. Stores the call before sending it, and its outcome afterwards. */
  async function perform<Name extends 'createInvoice' | 'createQr' | 'refund'>(
    act: Act,
    [name, input]: readonly [Name, Omit<ProviderInputs[Name], 'session'>],
    repeat: RepeatKey = repeatKeyOf(''),
  ): Promise<ProviderAnswer> {
    assertAmount(act.amount, act.kind === 'refund' ? '/returnAmount' : '/amount');
    return calls.perform({
      ...act,
      cashier,
      repeat,
      ask: (callOptions) => ask(name, input, callOptions),
      present,
    });
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
    findClient: (phoneNumber: string) => ask('findClient', { phoneNumber }),
    /** Sends an invoice to a customer's phone and starts to watch the payment. */
    createInvoice(order: InvoiceOrder, repeat?: RepeatKey) {
      const { profileId = cashier.session.profileId, phoneNumber, amount, comment } = order;
      const { reference } = order;
      const input = { profileId, phoneNumber, amount, ...(comment ? { comment } : {}) };
      const body = digestOf({ ...order, profileId });
      const facts = { amount, profileId, clientPhone: phoneNumber, reference, body };
      return perform({ kind: 'invoice', ...facts }, ['createInvoice', input], repeat);
    },
    invoiceDetails: (operationId: string) => read('invoice', operationId),
    cancelInvoice: (operationId: string) => calls.track(cancel(operationId)),
    /** Returns the organization's latest 20 invoices. */
    invoiceHistory: () => ask('invoiceHistory', {}),
    /** Creates a QR code and starts to watch the payment. */
    createQr(order: QrOrder, repeat?: RepeatKey) {
      const { profileId = cashier.session.profileId, amount, reference } = order;
      const { latitude = defaultLocation.latitude, longitude = defaultLocation.longitude } = order;
      const input = { profileId, amount, latitude, longitude };
      const body = digestOf({ ...order, profileId });
      return perform(
        { kind: 'qr', amount, profileId, reference, body },
        ['createQr', input],
        repeat,
      );
    },
    qrStatus: (qrOperationId: string) => read('qr', qrOperationId),
    operations({ endDate, lastTransactionDate, statementPeriodCode = 0 }: Operations) {
      const older = lastTransactionDate ? { lastTransactionDate } : {};
      return ask('operations', { endDate, ...older, statementPeriodCode });
    },
    operationDetails: (id: number | bigint, operationMethod = 0) =>
      ask('operationDetails', { id, operationMethod }),
    /** Refunds an amount (tenge) of a paid operation. */
    refund(order: CreateRefund, repeat?: RepeatKey) {
      const { qrOperationId, returnAmount: amount } = order;
      const { profileId } = cashier.session;
      const facts = { amount, profileId, paymentId: String(qrOperationId), body: digestOf(order) };
      const input = { qrOperationId, returnAmount: amount };
      return perform({ kind: 'refund', ...facts }, ['refund', input], repeat);
    },
    async checkSession(): Promise<SessionCheck> {
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
  throw new AppError('validation_failed', 'The amount is not valid.', {
    details: [{ path, message: 'must be greater than 0 tenge, with at most two decimals' }],
  });
}
