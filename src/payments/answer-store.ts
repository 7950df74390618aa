import { AppError } from '../base/errors.js';
import type { ProviderAnswer } from './providers/provider.js';

/** Milliseconds for which the answer under an Idempotency-Key is kept. */
export const keptFor = 24 * 3_600_000;

/** Where the answers under Idempotency-Keys are kept. */
export interface AnswerStore {
  /**
   * The answer kept under the name, or the one that `ask` gives now, which is kept; a failure is not.
   * `conflict` where the name stands for another body. Within a process it is called for one equal
   * request at a time.
   */
  once(name: string, body: string, ask: () => Promise<ProviderAnswer>): Promise<ProviderAnswer>;
}

/** Throws `conflict` where a key comes with another body than it stands for. */
export function assertSame(known: string, given: string): void {
  if (known === given) return;
  throw new AppError('conflict', 'This Idempotency-Key was used with another body.', {
    hint: 'Use a new key for a new request.',
  });
}
