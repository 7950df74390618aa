import type {
  CreateInvoice,
  CreateQr,
  CreateRefund,
  Operations,
  SessionCheck,
} from '#validators/gateway';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { isAmount } from './amount.js';
import type { Once, RepeatKey } from './idempotency.js';
import { newPayment, type Payment } from './payment.js';
import { createInTurn } from './providers/in-turn.js';
import {
  type ProviderAnswer,
  ProviderError,
  type ProviderInputs,
  type ProviderOperation,
  type ProviderOperations,
} from './providers/provider.js';
import { readCreated } from './providers/provider-answer.js';
import type { Cashier, Sessions } from './sessions/sessions.js';
import type { PaymentStore } from './store.js';

/** Where a QR payment is made when the client does not say: the centre of Almaty. */
const defaultPlace = { latitude: 43.238949, longitude: 76.889709 } as const;

/**
 * Calls of one session under way at the provider; further ones wait their turn. One cashier whom a slow
 * provider keeps waiting must not use up the calls that watching everybody's payments needs.
 */
const callsPerSession = 64;

/** A request that is never the same as another. */
const unrepeated: RepeatKey = { key: '', body: undefined };

/** The session's own profile by default. */
interface ForProfile {
  readonly profileId?: number | undefined;
}

export type InvoiceOrder = CreateInvoice & ForProfile;
export type QrOrder = CreateQr & ForProfile;

/**
 * What a signed-in cashier can do. Every answer is the provider's own, unchanged; failures are
 * ProviderErrors (`not_found`, `refused`, `provider_error`).
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
  operationDetails(cashier: Cashier, id: number, method?: number): Promise<ProviderAnswer>;
  /** Returns an amount (tenge) of a paid operation. */
  refund(cashier: Cashier, order: CreateRefund, repeat?: RepeatKey): Promise<ProviderAnswer>;
  checkSession(cashier: Cashier): Promise<SessionCheck>;
}

export interface GatewayOptions {
  readonly provider: ProviderOperations;
  readonly sessions: Sessions;
  readonly store: PaymentStore;
  readonly once: Once;
  readonly clock: Clock;
  readonly zone: string;
  /** Called with every payment that was made and stored. */
  onCreated(payment: Payment): void;
  /** Called with a payment that has probably changed. */
  onTouched(payment: Pick<Payment, 'type' | 'id'>): void;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { provider, sessions, store, once, clock, zone, onCreated, onTouched } = options;
  const inTurn = createInTurn(callsPerSession, clock);

  /** Calls that have begun are finished, whatever becomes of the client: they may move money. */
  async function ask<Name extends ProviderOperation>(
    { key, credentials: session }: Cashier,
    name: Name,
    given: Omit<ProviderInputs[Name], 'session'>,
    idempotencyKey?: string,
  ): Promise<ProviderAnswer> {
    const { signal } = new AbortController();
    const call = idempotencyKey ? { signal, idempotencyKey } : { signal };
    const input = { ...given, session } as ProviderInputs[Name]; // Whole again with the session.
    try {
      return await inTurn(key, () => provider[name](input, call));
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'session_ended') {
        await sessions.markEnded(key);
      }
      throw error;
    }
  }

  /** Makes a payment and stores it before its answer is given: what a client knows of is watched. */
  async function create(
    { key, session: { organizationId, id: sessionId } }: Cashier,
    made: Pick<Payment, 'type' | 'amount' | 'clientPhone'>,
    repeat: RepeatKey,
    work: (providerKey: string) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    assertAmount(made.amount, '/amount');
    const release = sessions.hold(key);
    try {
      const endpoint = `${made.type}/create`;
      return await once({ organizationId, endpoint, ...repeat }, async (providerKey) => {
        const answer = await work(providerKey);
        const origin = { ...made, organizationId, sessionId, createdAt: clock.now() };
        const payment = await store.add(newPayment(origin, readCreated(made.type, answer), zone));
        if (payment.state === 'open') onCreated(payment);
        return answer;
      });
    } finally {
      release();
    }
  }

  return {
    findClient: (cashier, phoneNumber) => ask(cashier, 'findClient', { phoneNumber }),
    createInvoice(cashier, order, repeat = unrepeated) {
      const { profileId = cashier.session.profileId, phoneNumber, amount, comment } = order;
      const input = { profileId, phoneNumber, amount, ...(comment ? { comment } : {}) };
      const made = { type: 'invoice', amount, clientPhone: phoneNumber } as const;
      return create(cashier, made, repeat, (key) => ask(cashier, 'createInvoice', input, key));
    },
    invoiceDetails: (cashier, operationId) => ask(cashier, 'invoiceDetails', { operationId }),
    async cancelInvoice(cashier, operationId) {
      const answer = await ask(cashier, 'cancelInvoice', { operationId });
      onTouched({ type: 'invoice', id: operationId });
      return answer;
    },
    invoiceHistory: (cashier) => ask(cashier, 'invoiceHistory', {}),
    createQr(cashier, order, repeat = unrepeated) {
      const { profileId = cashier.session.profileId, amount } = order;
      const { latitude = defaultPlace.latitude, longitude = defaultPlace.longitude } = order;
      const input = { profileId, amount, latitude, longitude };
      const made = { type: 'qr', amount } as const;
      return create(cashier, made, repeat, (key) => ask(cashier, 'createQr', input, key));
    },
    qrStatus: (cashier, qrOperationId) => ask(cashier, 'qrStatus', { qrOperationId }),
    operations: (cashier, { endDate, lastTransactionDate, statementPeriodCode = 0 }) => {
      const older = lastTransactionDate ? { lastTransactionDate } : {};
      return ask(cashier, 'operations', { endDate, ...older, statementPeriodCode });
    },
    operationDetails: (cashier, id, operationMethod = 0) =>
      ask(cashier, 'operationDetails', { id, operationMethod }),
    async refund(cashier, { qrOperationId, returnAmount }, repeat = unrepeated) {
      assertAmount(returnAmount, '/returnAmount');
      const { organizationId } = cashier.session;
      return once({ organizationId, endpoint: 'refund/create', ...repeat }, (key) =>
        ask(cashier, 'refund', { qrOperationId, returnAmount }, key),
      );
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
