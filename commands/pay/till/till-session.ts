import { AppError } from '../../../src/base/errors.js';
import type {
  CashierCalls,
  PaymentRecords,
  SessionPair,
} from '../../../src/payments/client/gateway-client.js';
import type { PayContext } from '../pay-context.js';

/** Who is signed in at the till just now. */
export interface TillSession {
  /** `not_signed_in` where nobody is, or where the session counts for nothing. */
  cashier(): Promise<CashierCalls>;
  /** What that session may see. */
  records(): PaymentRecords;
  /** Whose calls are made from now on. */
  use(pair: SessionPair): void;
}

/** The session that the till begins with; a sign-in in place replaces it. */
export function createTillSession(
  { gateway }: Pick<PayContext, 'gateway'>,
  first: SessionPair | undefined,
): TillSession {
  let pair = first;
  let calls: Promise<CashierCalls> | undefined;
  return {
    async cashier() {
      if (!pair) throw new AppError('not_signed_in', 'Nobody is signed in.');
      calls ??= gateway.cashier(pair).catch((error: unknown) => {
        calls = undefined;
        throw error;
      });
      return calls;
    },
    records: () => gateway.records(pair),
    use(next) {
      pair = next;
      calls = undefined;
    },
  };
}
