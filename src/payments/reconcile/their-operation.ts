import type { OperationRow } from '../providers/operation-rows.js';
import { parseProviderTime } from '../zoned-time.js';
import type { TheirOperation } from './compare.js';

/** What providers call a row that gives money back. */
const refundWords = /refund|return|возврат/i;

/** An operation as the provider shows it, times without a zone in `zone`; undefined where it has no id. */
export function theirOperation(row: OperationRow, zone: string): TheirOperation | undefined {
  const { id, otherId, amount, amountFault, returned, status, transactionDate } = row;
  if (id === null) return undefined;
  const at = parseProviderTime(transactionDate ?? '', zone) ?? null;
  return { id, otherId, type: typeOf(row), at, amount, amountFault, returned, status };
}

function typeOf({ type, raw: { OperationType } }: OperationRow): TheirOperation['type'] {
  const said = typeof OperationType === 'string' ? OperationType : '';
  return type ?? (refundWords.test(said) ? 'refund' : null);
}
