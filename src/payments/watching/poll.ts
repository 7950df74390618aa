import type { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import type { Outcome, Payment, PaymentType } from '../payment.js';
import {
  askOperation,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
} from '../providers/provider.js';
import { type PaymentFacts, readObserved } from '../providers/provider-answer.js';
import type { Sessions } from '../sessions/sessions.js';
import { askAsOrganization } from '../sessions/sessions.js';
import {
  type Contradiction,
  contradictionOf,
  type FurtherStatuses,
  meaningOf,
} from './payment-rules.js';
import type { Seen } from './poll-schedule.js';

/** The result of one poll of a payment. A failed poll proves nothing, and a contradicted success is not a success. */
export type PollResult =
  | { readonly kind: 'pending'; readonly isListed: boolean; readonly facts: PaymentFacts }
  | { readonly kind: 'final'; readonly outcome: Outcome; readonly facts: PaymentFacts }
  | {
      readonly kind: 'contradicted';
      readonly reason: Contradiction;
      readonly facts: PaymentFacts;
    }
  | { readonly kind: 'failed'; readonly error: AppError };

/** What a result means for the schedule; undefined where there is nothing more to poll. */
export function seenBy(result: PollResult): Seen | undefined {
  if (result.kind === 'failed') return 'failed';
  if (result.kind !== 'pending') return undefined;
  return result.isListed ? 'listed' : 'unlisted';
}

export interface PollOptions {
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  /** Statuses that the operator has named. */
  readonly further: FurtherStatuses;
  /** Called with every status that is in no list. */
  onUnlisted(type: PaymentType, status: string): void;
}

export type Poll = (payment: Payment, signal: AbortSignal) => Promise<PollResult>;

/** An answer about another operation than was asked for. It proves nothing of this one. */
export class OtherOperation extends ProviderError {
  constructor({ type, id }: Pick<Payment, 'type' | 'id'>, answered: string) {
    super(
      'failure',
      `The provider was asked for the ${type} operation ${id} and answered about ${answered}.`,
    );
  }
}

/**
 * Returns what an answer says about an operation. Besides the requested ID it may contain one other ID of the operation,
 * which must be the known one. Throws an `OtherOperation` if the answer names another operation, and a ProviderError if it
 * lacks a status.
 */
export function factsAbout(
  asked: Pick<Payment, 'type' | 'id' | 'otherId'>,
  answer: ProviderAnswer,
): PaymentFacts {
  const facts = readObserved(answer, asked.id);
  if (facts.id !== null && facts.id !== asked.id) throw new OtherOperation(asked, facts.id);
  const others = facts.ids.filter((id) => id !== asked.id);
  const [first] = others;
  if (others.length > 1 || (first !== undefined && first !== (asked.otherId ?? first))) {
    throw new OtherOperation(asked, others.join(' and '));
  }
  return facts;
}

/** Asks the provider what has become of a payment, with the best session there is. Never rejects. */
export function createPoll({ provider, sessions, further, onUnlisted }: PollOptions): Poll {
  const ask = (payment: Payment, call: ProviderCall) =>
    askAsOrganization(sessions, payment, async ({ credentials }) =>
      factsAbout(payment, await askOperation(provider, payment, credentials, call)),
    );

  return async function poll(payment, signal) {
    try {
      const facts = await ask(payment, { signal });
      const meaning = meaningOf(payment.type, facts.status, further);
      if (meaning === undefined) onUnlisted(payment.type, facts.status);
      if (meaning === undefined || meaning === 'pending') {
        return { kind: 'pending', isListed: meaning !== undefined, facts };
      }
      const reason = contradictionOf(payment.amount, facts);
      if (meaning === 'success' && reason) return { kind: 'contradicted', reason, facts };
      return { kind: 'final', outcome: meaning, facts };
    } catch (error) {
      return { kind: 'failed', error: error as AppError }; // The guard and the stores throw nothing else.
    }
  };
}

/** The most unlisted statuses that one process warns of; a provider that makes up more is not followed. */
const mostNamed = 1_000;
/** Characters of an unlisted status that are remembered and logged. */
const longestStatus = 100;

/** Warns of each status that is in no list once, by type. */
export function createUnlistedStatuses(log: Logger): (type: PaymentType, status: string) => void {
  const named = new Set<string>();
  return (type, given) => {
    const status = given.slice(0, longestStatus);
    const name = `${type} ${status}`;
    if (named.has(name) || named.size >= mostNamed) return;
    named.add(name);
    log.warn(
      { type, status },
      'The provider names a status that is in no list: payments in it stay open. Name it in the file of MSGSITE_STATUS_MAP.',
    );
  };
}
