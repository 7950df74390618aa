import pLimit from 'p-limit';
import { AppError } from '../../base/errors.js';
import { exactInteger } from '../../json/exact-json.js';
import type { CashierGateway } from '../gateway.js';
import type { Payment } from '../payment.js';
import { readOperation } from '../providers/operation-rows.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { TheirOperation } from './compare.js';
import { theirOperation } from './compare.js';

export type AskedGateway = Pick<CashierGateway, 'operationDetails' | 'qrStatus' | 'invoiceDetails'>;

/** Maximum number of operations that one reconciliation reads individually. */
export const maxRequested = 500;
const concurrentReads = 8;

/** An operation; `unknown` if the provider does not have it, `no_answer` if there was no usable answer. */
export type Asked = TheirOperation | 'unknown' | 'no_answer';

/** Reads the operations of up to 500 payments individually. Rejects once `signal` aborts. */
export async function askAgain(
  gateway: AskedGateway,
  payments: readonly Pick<Payment, 'type' | 'id'>[],
  signal: AbortSignal,
): Promise<readonly Asked[]> {
  const limit = pLimit(concurrentReads);
  return Promise.all(
    payments.map(({ type, id }, index) => {
      if (index >= maxRequested) return 'no_answer';
      const ask = () => (type === 'qr' ? gateway.qrStatus(id) : gateway.invoiceDetails(id));
      return limit(() => {
        signal.throwIfAborted();
        return askFor(id, ask);
      });
    }),
  );
}

/** Reads an operation that may not belong to a stored payment. */
export function askForOperation(gateway: AskedGateway, id: string): Promise<Asked> {
  return askFor(id, () => gateway.operationDetails(exactInteger(id)));
}

/** Reads an operation. Rejects if the session has ended, because this ends the reconciliation. */
async function askFor(id: string, ask: () => Promise<ProviderAnswer>): Promise<Asked> {
  try {
    const row = readOperation(await ask());
    const theirs = row && theirOperation({ ...row, id: row.id ?? id }, 'UTC');
    return theirs?.id === id || theirs?.otherId === id ? theirs : 'no_answer';
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'session_ended') throw error;
    if (error instanceof AppError && error.code === 'not_found') return 'unknown';
    if (error instanceof AppError && error.code === 'provider_error') return 'no_answer';
    throw error;
  }
}
