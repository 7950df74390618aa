import type { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import type { PaymentParts } from '../parts.js';
import type { Outcome, Payment, PaymentType } from '../payment.js';
import {
  askOperation,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
} from '../providers/provider.js';
import { type PaymentFacts, readObserved } from '../providers/provider-answer.js';
import { askAsOrganization } from '../sessions/sessions.js';
import {
  type Contradiction,
  contradictionOf,
  type FurtherStatuses,
  meaningOf,
} from './payment-rules.js';
import type { Seen } from './poll-schedule.js';

/** The result of one poll. A failed poll proves nothing. A success with a contradicting amount is `contradicted`. */
export type PollResult =
  | { readonly kind: 'pending'; readonly isListed: boolean; readonly facts: PaymentFacts }
  | { readonly kind: 'final'; readonly outcome: Outcome; readonly facts: PaymentFacts }
  | {
      readonly kind: 'contradicted';
      readonly reason: Contradiction;
      readonly facts: PaymentFacts;
    }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Returns a result in the form that the schedule uses; undefined if the payment is not polled again. */
export function seenBy(result: PollResult): Seen | undefined {
  if (result.kind === 'failed') return 'failed';
  if (result.kind !== 'pending') return undefined;
  return result.isListed ? 'listed' : 'unlisted';
}

export type Poll = (payment: Payment, signal: AbortSignal) => Promise<PollResult>;

/** Thrown if an answer does not describe the requested operation. */
export class OtherOperation extends ProviderError {
  constructor({ type, id }: Pick<Payment, 'type' | 'id'>, answered: string) {
    super(
      'failure',
      `The provider answered a request for ${type} operation ${id} with operation ${answered}.`,
    );
  }
}

/**
 * Returns the facts of an operation from an answer. The answer may contain a second ID of the operation, which must
 * match the known one. Throws an `OtherOperation` if the answer is about a different operation, and a ProviderError if
 * it has no status.
 */
export function factsAbout(
  operation: Pick<Payment, 'type' | 'id' | 'otherId'>,
  answer: ProviderAnswer,
): PaymentFacts {
  const facts = readObserved(answer, operation.id);
  if (facts.id !== null && facts.id !== operation.id) throw new OtherOperation(operation, facts.id);
  const others = facts.ids.filter((id) => id !== operation.id);
  const [first] = others;
  if (others.length > 1 || (first !== undefined && first !== (operation.otherId ?? first))) {
    throw new OtherOperation(operation, others.join(' and '));
  }
  return facts;
}

/**
 * Creates the function that polls a payment at the provider with the best available session. The function never
 * rejects.
 */
export function createPoll(
  { provider, sessions, log }: PaymentParts,
  further: FurtherStatuses,
): Poll {
  const warnOf = createUnlistedStatuses(log);
  const ask = (payment: Payment, call: ProviderCall) =>
    askAsOrganization(sessions, payment, async ({ credentials }) =>
      factsAbout(payment, await askOperation(provider, payment, credentials, call)),
    );

  return async function poll(payment, signal) {
    try {
      const facts = await ask(payment, { signal });
      const meaning = meaningOf(payment.type, facts.status, further);
      if (meaning === undefined) warnOf(payment.type, facts.status);
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

/** Maximum number of unknown statuses about which one process warns. */
const maxNamed = 1_000;
/** Maximum length of an unknown status in a warning, in characters. */
const maxStatusLength = 100;

/** Creates the function that warns once about each unknown status of a type. */
function createUnlistedStatuses(log: Logger): (type: PaymentType, status: string) => void {
  const named = new Set<string>();
  return (type, reported) => {
    const status = reported.slice(0, maxStatusLength);
    const name = `${type} ${status}`;
    if (named.has(name) || named.size >= maxNamed) return;
    named.add(name);
    log.warn(
      { type, status },
      'The provider reports an unknown status. Payments with this status stay open. Add it to the file named by MSGSITE_STATUS_MAP.',
    );
  };
}
