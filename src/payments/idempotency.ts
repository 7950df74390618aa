import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { createSpool } from '../storage/json/spool.js';
import type { ProviderAnswer } from './provider.js';

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

interface KeptAnswer {
  readonly body: string;
  readonly answer: ProviderAnswer;
  readonly at: number;
}

interface Flight {
  readonly body: string;
  readonly answer: Promise<ProviderAnswer>;
}

const keptFor = 24 * 3_600_000;

/** Keeps answers as one file each in a folder a day; old days are removed. */
export async function openIdempotency(folder: string, clock: Clock): Promise<Idempotency> {
  const spool = await createSpool<KeptAnswer, 'kept'>({
    folder: join(folder, 'idempotency'),
    states: { kept: 'by-day' },
    clock,
  });
  const flights = new Map<string, Flight>();
  let sweptDay = '';

  /** Once a day is enough; a day is removed when all of it is older than 24 h. */
  async function sweep(): Promise<void> {
    const oldest = new Date(clock.now() - keptFor).toISOString().slice(0, 10);
    if (oldest === sweptDay) return;
    sweptDay = oldest;
    await spool.removeDaysBefore('kept', oldest);
  }

  async function answerOnce(
    name: string,
    body: string,
    work: () => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    await sweep();
    const kept = (await spool.read(name))?.record;
    const valid = kept && kept.at + keptFor > clock.now();
    if (valid) {
      assertSame(kept.body, body);
      return kept.answer;
    }
    const answer = await work();
    const record = { body, answer, at: clock.now() };
    // One that has run out makes room in the folder of today.
    await (kept ? spool.move(name, 'kept', { record }) : spool.create(name, 'kept', record));
    return answer;
  }

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
      const answer = answerOnce(name, text, () => work(key)).finally(() => flights.delete(name));
      flights.set(name, { body: text, answer });
      return answer;
    },
  };
}

function assertSame(known: string, given: string): void {
  if (known === given) return;
  throw new AppError('conflict', 'This Idempotency-Key was used with another body.', {
    hint: 'Use a new key for a new request.',
  });
}

/** JSON with the properties of every object in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
