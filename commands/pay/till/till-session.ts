import { AppError } from '../../../src/base/errors.js';
import { lazy } from '../../../src/base/single-flight.js';
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
  let calls = callsOf(first);

  function callsOf(session: SessionPair | undefined) {
    return lazy(async () => {
      if (!session) throw new AppError('not_signed_in', 'Nobody is signed in.');
      return gateway.cashier(session);
    });
  }

  return {
    cashier: () => calls.get(),
    records: () => gateway.records(pair),
    use(next) {
      pair = next;
      calls = callsOf(next);
    },
  };
}
