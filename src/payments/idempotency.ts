import { hash, randomUUID } from 'node:crypto';
import { AppError } from '../base/errors.js';
import { isObject } from '../json/pointers.js';
import type { ProviderAnswer } from './providers/provider.js';
import type { AnswerStore } from './store.js';

/** What makes a repeated request of an organization to an endpoint the same one. */
export interface RepeatKey {
  /** The client's `Idempotency-Key`, or '' where it sent none. */
  readonly key: string;
  /** The request's body as it came, compared as a JSON value: the order of properties does not matter. */
  readonly body: unknown;
}

interface IdempotentRequest extends RepeatKey {
  readonly organizationId: number;
  readonly endpoint: string;
}

/**
 * Does `work` once for equal requests within 24 h and gives every one of them its answer; only
 * successes are kept. The same key with another body is a `conflict`. `work` is given the key that
 * goes to the provider, so that a repetition after a crash makes no second operation either.
 */
export type Once = (
  request: IdempotentRequest,
  work: (providerKey: string) => Promise<ProviderAnswer>,
) => Promise<ProviderAnswer>;

/** Joins equal requests of this process; the store keeps their answers. */
export function createOnce(answers: AnswerStore): Once {
  const flights = new Map<string, { body: string; answer: Promise<ProviderAnswer> }>();
  return async function once({ organizationId, endpoint, key, body }, work) {
    if (key === '') return work(randomUUID());
    const name = hash('sha256', JSON.stringify([organizationId, endpoint, key]));
    const text = hash('sha256', canonical(body));
    const flight = flights.get(name);
    if (flight) {
      assertSame(flight.body, text);
      return flight.answer;
    }
    const answer = answers.once(name, text, () => work(key)).finally(() => flights.delete(name));
    flights.set(name, { body: text, answer });
    return answer;
  };
}

/** Throws `conflict` where a key comes with another body than it stands for. */
export function assertSame(known: string, given: string): void {
  if (known === given) return;
  throw new AppError('conflict', 'This Idempotency-Key was used with another body.', {
    hint: 'Use a new key for a new request.',
  });
}

/** JSON with the properties of every object in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
