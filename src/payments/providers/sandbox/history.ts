import { parseProviderTime, providerDay } from '../../zoned-time.js';
import { refuse } from './answers.js';
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
  const before = lastTransactionDate ? lastMoment(lastTransactionDate, zone) : Infinity;
  const wanted = operations.filter(({ createdAt }) => {
    const day = providerDay(createdAt, zone);
    return day <= endDate && day >= first && createdAt < before;
  });
  let length = pageLength;
  while (wanted[length] && wanted[length]?.createdAt === wanted[length - 1]?.createdAt) length++;
  return { page: wanted.slice(0, length), more: wanted.length > length };
}

/** A text that is no time would give the first page again, and a client that pages would never end. */
function lastMoment(text: string, zone: string): number {
  const moment = parseProviderTime(text, zone);
  if (moment !== undefined) return moment;
  throw refuse(
    'refused',
    10_409,
    'lastTransactionDate must be the TransactionDate of an operation.',
  );
}

function firstDay(endDate: string, days: number | undefined): string {
  if (days === undefined) return '';
  return new Date(Date.parse(endDate) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}
