import { hash, randomUUID } from 'node:crypto';
import { AppError } from '../base/errors.js';
import { stringifyExact } from '../json/exact-json.js';
import { isObject } from '../json/pointers.js';
import type { ProviderAnswer } from './providers/provider.js';
import type { AnswerStore, Keep } from './store.js';

/** Identifies a request to an endpoint within an organization. */
export interface RepeatKey {
  /** The client's `Idempotency-Key`, or a generated one. */
  readonly key: string;
  /** True if the key was generated here, so no earlier request can have used it. */
  readonly isNew: boolean;
}

/** Returns the key that a client sent, or generates one if `sent` is empty. */
export function repeatKeyOf(sent: string): RepeatKey {
  return sent === '' ? { key: randomUUID(), isNew: true } : { key: sent, isNew: false };
}

/**
 * Deduplicates requests for 24 hours. Concurrent equal requests in this process share one call of `work`. Later
 * requests receive the stored answer, if `work` has stored one with `keep`. The returned function throws `conflict` if
 * a name is used with a different body.
 */
export function createOnce(answers: AnswerStore) {
  const flights = new Map<string, { body: string; answer: Promise<ProviderAnswer> }>();
  return async function once(
    { name, body }: { readonly name: string; readonly body: string },
    work: (keep: Keep) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const flight = flights.get(name);
    if (flight) {
      assertSame(flight.body, body);
      return flight.answer;
    }
    const answer = answers.once(name, body, work).finally(() => flights.delete(name));
    flights.set(name, { body, answer });
    return answer;
  };
}

/** Throws `conflict` if the request under a key differs from the earlier one. */
export function assertSame(earlier: string, body: string): void {
  if (earlier === body) return;
  throw new AppError(
    'conflict',
    'This Idempotency-Key was already used with a different body or profile.',
    {
      hint: 'Use a new key for a new request.',
    },
  );
}

/** Returns a digest of a JSON value that does not depend on the order of properties. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonical(value));
}

/** Returns JSON with sorted properties, so that equal values produce the same text. */
export function canonical(value: unknown): string {
  return stringifyExact(value, (_, inner) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
