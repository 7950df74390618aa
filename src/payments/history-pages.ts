import { isObject } from '../json/pointers.js';
import { type OperationRow, readOperations } from './providers/operation-rows.js';
import type { ProviderAnswer } from './providers/provider.js';
import { parseProviderTime, providerDay } from './zoned-time.js';

/** What is asked of `operations/history`. */
interface Period {
  readonly endDate: string;
  readonly lastTransactionDate?: string;
  readonly statementPeriodCode: number;
}

/** The most pages of history that are requested from a provider. */
const mostPages = 1_000;

/**
 * The operations of the provider's list from the day of `until` back to `since` (milliseconds since the epoch),
 * newest first, a page at a time; a row whose time cannot be read is among them.
 */
export async function* operationsBack(
  ask: (period: Period) => Promise<ProviderAnswer>,
  { since, until, zone }: { readonly since: number; readonly until: number; readonly zone: string },
): AsyncGenerator<OperationRow> {
  let last: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const older = last === undefined ? {} : { lastTransactionDate: last };
    const endDate = providerDay(until, zone);
    const answer = await ask({ endDate, ...older, statementPeriodCode: 0 });
    const { rows } = readOperations(answer);
    for (const row of rows) {
      if (madeAt(row, zone) >= since) yield row;
    }
    const oldest = rows.at(-1);
    const next = oldest?.transactionDate ?? undefined;
    // Without a way on, or past the first moment, there is nothing more to ask for.
    if (!oldest || !next || next === last || isLast(answer) || madeAt(oldest, zone) < since) return;
    last = next;
  }
}

/** A provider that does not say whether there is more is asked again. */
function isLast({ Data: data }: ProviderAnswer): boolean {
  return isObject(data) && data.HasMore === false;
}

function madeAt({ transactionDate }: OperationRow, zone: string): number {
  return parseProviderTime(transactionDate ?? '', zone) ?? Number.POSITIVE_INFINITY;
}
