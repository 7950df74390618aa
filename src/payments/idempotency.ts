import { createHash, randomUUID } from 'node:crypto';
import { isObject } from '../json/pointers.js';
import { type AnswerStore, assertSame } from './answer-store.js';
import type { ProviderAnswer } from './providers/provider.js';

/** What makes two requests the same one. */
export interface IdempotentRequest {
  readonly organizationId: number;
  readonly endpoint: string;
  /** The client's `Idempotency-Key`, or '' where it sent none. */
  readonly key: string;
  /** Compared as JSON values: the order of properties does not matter. */
  readonly body: unknown;
}

export interface Idempotency {
  /**
   * Does `work` once for equal requests within 24 h and gives every one of them its answer; only
   * successes are kept. The same key with another body is a `conflict`. `work` is given the key that
   * goes to the provider, so that a repetition after a crash makes no second operation either.
   */
  once(
    request: IdempotentRequest,
    work: (providerKey: string) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer>;
}

interface Flight {
  readonly body: string;
  readonly answer: Promise<ProviderAnswer>;
}

/** Joins equal requests of this process; the store keeps their answers. */
export function createIdempotency(answers: AnswerStore): Idempotency {
  const flights = new Map<string, Flight>();
  return {
    async once({ organizationId, endpoint, key, body }, work) {
      if (key === '') return work(randomUUID());
      const name = digest(JSON.stringify([organizationId, endpoint, key]));
      const text = digest(canonical(body));
      const flight = flights.get(name);
      if (flight) {
        assertSame(flight.body, text);
        return flight.answer;
      }
      const answer = answers.once(name, text, () => work(key)).finally(() => flights.delete(name));
      flights.set(name, { body: text, answer });
      return answer;
    },
  };
}

/** JSON with the properties of every object in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
