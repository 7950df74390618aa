import type { AppError } from '../../base/errors.js';
import type { Outcome, Payment } from '../payment.js';
import {
  type PaymentProvider,
  type ProviderCall,
  ProviderError,
  type ProviderSession,
} from '../providers/provider.js';
import { type PaymentFacts, readObserved } from '../providers/provider-answer.js';
import type { Sessions } from '../sessions/sessions.js';
import { outcomeOf } from './payment-rules.js';

/** What one poll of a payment shows. A poll that failed proves nothing. */
export type PollResult =
  | { readonly kind: 'pending'; readonly facts: PaymentFacts }
  | { readonly kind: 'final'; readonly outcome: Outcome; readonly facts: PaymentFacts }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface PollOptions {
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  /** Further QR statuses that count as failed. */
  readonly moreFailed: readonly string[];
}

export type Poll = (payment: Payment, signal: AbortSignal) => Promise<PollResult>;

/** Asks the provider what has become of a payment, with the best session there is. Never rejects. */
export function createPoll({ provider, sessions, moreFailed }: PollOptions): Poll {
  async function observe({ type, id }: Payment, session: ProviderSession, call: ProviderCall) {
    const answer =
      type === 'qr'
        ? await provider.qrStatus({ session, qrOperationId: id }, call)
        : await provider.invoiceDetails({ session, operationId: id }, call);
    return readObserved(answer);
  }

  async function ask(payment: Payment, signal: AbortSignal): Promise<PaymentFacts> {
    let failure: ProviderError | undefined;
    const { organizationId, sessionId } = payment;
    for (const { key, credentials } of await sessions.forPayment(organizationId, sessionId)) {
      try {
        return await observe(payment, credentials, { signal });
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'session_ended') throw error;
        await sessions.markEnded(key);
        failure = error;
      }
    }
    throw failure ?? new ProviderError('session_ended', 'Nobody of the organization is signed in.');
  }

  return async function poll(payment, signal) {
    try {
      const facts = await ask(payment, signal);
      const outcome = outcomeOf(payment.type, facts.status, moreFailed);
      return outcome === 'pending' ? { kind: 'pending', facts } : { kind: 'final', outcome, facts };
    } catch (error) {
      return { kind: 'failed', error: error as AppError }; // The guard and the stores throw nothing else.
    }
  };
}
