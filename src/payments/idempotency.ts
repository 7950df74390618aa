import { hash, randomUUID } from 'node:crypto';
import { AppError } from '../base/errors.js';
import { stringifyExact } from '../json/exact-json.js';
import { isObject } from '../json/pointers.js';
import type { ProviderAnswer } from './providers/provider.js';
import type { AnswerStore, Keep } from './store.js';

/** What makes a repeated request of an organization to an endpoint the same one. */
export interface RepeatKey {
  /** The client's `Idempotency-Key`, or one that was made for this request. */
  readonly key: string;
  /** True where the key was made here: no request with it came before. */
  readonly isNew: boolean;
}

/** The key that a client gave, or a fresh one. */
export function repeatKeyOf(given: string): RepeatKey {
  return given === '' ? { key: randomUUID(), isNew: true } : { key: given, isNew: false };
}

/** A request that may come again, by its name and the digest of what it asks for. */
export interface RepeatableRequest {
  readonly name: string;
  readonly body: string;
}

/**
 * Does `work` once for equal requests within 24 h and gives every one of them its answer; only what `work`
 * has kept is given again. The same name with another body is a `conflict`.
 */
export type Once = (
  request: RepeatableRequest,
  work: (keep: Keep) => Promise<ProviderAnswer>,
) => Promise<ProviderAnswer>;

/** Joins equal requests of this process; the store keeps their answers. */
export function createOnce(answers: AnswerStore): Once {
  const flights = new Map<string, { body: string; answer: Promise<ProviderAnswer> }>();
  return async function once({ name, body }, work) {
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

/** Throws `conflict` where a key comes with another request than it stands for. */
export function assertSame(known: string, given: string): void {
  if (known === given) return;
  throw new AppError('conflict', 'This Idempotency-Key was used with another body or profile.', {
    hint: 'Use a new key for a new request.',
  });
}

/** A digest of what a request asks for, compared as JSON values: the order of properties does not matter. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonical(value));
}

/** JSON with the properties of every object in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return stringifyExact(value, (_, inner) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
