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
import type { Idempotency } from './idempotency.js';
import { newPayment, type Payment } from './payment.js';
import type { PaymentStore } from './payment-store.js';
import { createInTurn } from './providers/in-turn.js';
import {
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
} from './providers/provider.js';
import { readCreated } from './providers/provider-answer.js';
import type { Cashier, Sessions } from './sessions/sessions.js';
import type { PaymentType } from './watching/payment-rules.js';

/** Where a QR payment is made when the client does not say: the centre of Almaty. */
const defaultPlace = { latitude: 43.238949, longitude: 76.889709 } as const;

/**
 * Calls of one session under way at the provider; further ones wait their turn. One cashier whom a slow
 * provider keeps waiting must not use up the calls that watching everybody's payments needs.
 */
const callsPerSession = 64;

/** What makes a repeated request the same one; see idempotency.ts. */
export interface RepeatKey {
  /** The client's key, or '' for none. */
  readonly key: string;
  /** The request's body as it came. */
  readonly body: unknown;
}

/** The session's own profile unless told. */
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
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  readonly store: PaymentStore;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly zone: string;
  /** Told of every payment that was made and stored. */
  onCreated(payment: Payment): void;
  /** Told that a payment has probably changed. */
  onTouched(payment: Pick<Payment, 'type' | 'id'>): void;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { provider, sessions, store, idempotency, clock, zone, onCreated, onTouched } = options;
  const inTurn = createInTurn(callsPerSession, clock);

  /** Calls that have begun are finished, whatever becomes of the client: they may move money. */
  async function ask(
    { key, credentials }: Cashier,
    work: (session: Cashier['credentials'], call: ProviderCall) => Promise<ProviderAnswer>,
    idempotencyKey?: string,
  ): Promise<ProviderAnswer> {
    const { signal } = new AbortController();
    try {
      const call = idempotencyKey ? { signal, idempotencyKey } : { signal };
      return await inTurn(key, () => work(credentials, call));
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'session_ended') {
        await sessions.markEnded(key);
      }
      throw error;
    }
  }

  function once(
    { session }: Cashier,
    endpoint: string,
    repeat: RepeatKey | undefined,
    work: (providerKey: string) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const { organizationId } = session;
    const { key = '', body } = repeat ?? {};
    return idempotency.once({ organizationId, endpoint, key, body }, work);
  }

  /** Stores a payment before its answer is given: what a client knows of is watched. */
  async function keep(
    cashier: Cashier,
    type: PaymentType,
    order: { readonly amount: number; readonly clientPhone?: string },
    answer: ProviderAnswer,
  ): Promise<ProviderAnswer> {
    const { organizationId, id: sessionId } = cashier.session;
    const origin = { type, organizationId, sessionId, now: clock.now(), zone, ...order };
    const payment = await store.add(newPayment(origin, readCreated(type, answer)));
    if (payment.state === 'open') onCreated(payment);
    return answer;
  }

  async function create(
    cashier: Cashier,
    work: () => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const release = sessions.hold(cashier.key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    findClient: (cashier, phoneNumber) =>
      ask(cashier, (session, call) => provider.findClient({ session, phoneNumber }, call)),
    async createInvoice(cashier, order, repeat) {
      const { phoneNumber, amount, comment } = order;
      assertAmount(amount, '/amount');
      const { profileId = cashier.session.profileId } = order;
      const input = { profileId, phoneNumber, amount, ...(comment ? { comment } : {}) };
      return create(cashier, () =>
        once(cashier, 'invoice/create', repeat, async (key) => {
          const answer = await ask(
            cashier,
            (session, call) => provider.createInvoice({ session, ...input }, call),
            key,
          );
          return keep(cashier, 'invoice', { amount, clientPhone: phoneNumber }, answer);
        }),
      );
    },
    invoiceDetails: (cashier, operationId) =>
      ask(cashier, (session, call) => provider.invoiceDetails({ session, operationId }, call)),
    async cancelInvoice(cashier, operationId) {
      const answer = await ask(cashier, (session, call) =>
        provider.cancelInvoice({ session, operationId }, call),
      );
      onTouched({ type: 'invoice', id: operationId });
      return answer;
    },
    invoiceHistory: (cashier) =>
      ask(cashier, (session, call) => provider.invoiceHistory({ session }, call)),
    async createQr(cashier, order, repeat) {
      const { amount } = order;
      assertAmount(amount, '/amount');
      const { profileId = cashier.session.profileId } = order;
      const { latitude = defaultPlace.latitude, longitude = defaultPlace.longitude } = order;
      const input = { profileId, amount, latitude, longitude };
      return create(cashier, () =>
        once(cashier, 'qr/create', repeat, async (key) => {
          const answer = await ask(
            cashier,
            (session, call) => provider.createQr({ session, ...input }, call),
            key,
          );
          return keep(cashier, 'qr', { amount }, answer);
        }),
      );
    },
    qrStatus: (cashier, qrOperationId) =>
      ask(cashier, (session, call) => provider.qrStatus({ session, qrOperationId }, call)),
    operations: (cashier, { statementPeriodCode = 0, ...period }) =>
      ask(cashier, (session, call) =>
        provider.operations({ session, statementPeriodCode, ...period }, call),
      ),
    operationDetails: (cashier, id, operationMethod = 0) =>
      ask(cashier, (session, call) =>
        provider.operationDetails({ session, id, operationMethod }, call),
      ),
    async refund(cashier, { qrOperationId, returnAmount }, repeat) {
      assertAmount(returnAmount, '/returnAmount');
      return once(cashier, 'refund/create', repeat, (key) =>
        ask(
          cashier,
          (session, call) => provider.refund({ session, qrOperationId, returnAmount }, call),
          key,
        ),
      );
    },
    async checkSession(cashier) {
      try {
        await ask(cashier, (session, call) => provider.checkSession({ session }, call));
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
