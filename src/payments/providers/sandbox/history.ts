import { formatProviderTime } from '../../zoned-time.js';
import type { SandboxOperation } from './operation.js';

interface Period {
  /** Last day, `YYYY-MM-DD` in the provider's zone, included. */
  readonly endDate: string;
  /** Page on: only what is older than this. */
  readonly lastTransactionDate?: string;
  readonly statementPeriodCode: number;
}

const pageLength = 50;

/** Days of a statement, ending with `endDate`; a code that is not listed (0, say) has no first day. */
const periodDays: Readonly<Record<number, number>> = { 1: 1, 2: 7, 3: 30 };

/**
 * One page of a statement. `operations` come newest first. A page never ends between two operations
 * of the same moment, as the next one starts strictly before the last moment of this one.
 */
export function operationsPage(
  operations: readonly SandboxOperation[],
  { endDate, lastTransactionDate, statementPeriodCode }: Period,
  zone: string,
): { readonly page: readonly SandboxOperation[]; readonly more: boolean } {
  const first = firstDay(endDate, periodDays[statementPeriodCode]);
  const wanted = operations.filter(({ createdAt }) => {
    const time = formatProviderTime(createdAt, zone);
    const day = time.slice(0, 10);
    return day <= endDate && day >= first && (!lastTransactionDate || time < lastTransactionDate);
  });
  let length = pageLength;
  while (wanted[length] && wanted[length]?.createdAt === wanted[length - 1]?.createdAt) length++;
  return { page: wanted.slice(0, length), more: wanted.length > length };
}

function firstDay(endDate: string, days: number | undefined): string {
  if (days === undefined) return '';
  return new Date(Date.parse(endDate) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}
