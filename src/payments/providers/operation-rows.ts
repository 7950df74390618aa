import type { Payment } from '#validators/payment-records';
import { isObject } from '../../json/pointers.js';
import { parseProviderTime, providerDay } from '../zoned-time.js';
import {
  type AmountFault,
  amountIn,
  anyIdOf,
  type Data,
  firstOf,
  idNames,
  incomplete,
  otherIdIn,
  textOf,
  wholeNumberOf,
} from './answer-values.js';
import type { ProviderAnswer } from './provider.js';

/** An operation in a provider's list. Missing values are null. */
export interface OperationRow {
  /** Digits; any text if the provider's ID is not a number. */
  readonly id: string | null;
  /** The second ID of the operation, in digits. */
  readonly otherId: string | null;
  /** Null for other or unknown types. */
  readonly type: Payment['type'] | null;
  readonly profileId: number | null;
  /** Tenge. */
  readonly amount: number | null;
  /** Set if the row's amount is unreadable or in a different currency. */
  readonly amountFault?: AmountFault;
  /** Returned amount in tenge. */
  readonly returned: number | null;
  readonly status: string | null;
  readonly clientPhone: string | null;
  /** As the provider wrote it; see zoned-time.ts. */
  readonly transactionDate: string | null;
  /** The Idempotency-Key under which it was made, if the provider reports it. */
  readonly key: string | null;
  /** Its refunds. */
  readonly returns: readonly ReturnRow[];
  /** The original row. */
  readonly raw: Data;
}

export interface ReturnRow {
  readonly id: string | null;
  /** Tenge. */
  readonly amount: number | null;
  /** Set if its amount is unreadable or in a different currency. */
  readonly amountFault?: AmountFault;
  /** As the provider wrote it. */
  readonly transactionDate: string | null;
  /** The Idempotency-Key under which it was made, if the provider reports it. */
  readonly key: string | null;
}

/**
 * Returns the operations in a provider's list (`operations/history`, `invoices/history`) in the same order. The list is
 * `Data` itself or one of its properties, under any name. `DailySets` contains one list per day. Throws if the answer
 * contains no list, because a missing list does not mean that there are no operations.
 */
export function readOperations(answer: ProviderAnswer): readonly OperationRow[] {
  const { name, rows } = listIn(answer.Data);
  if (!rows) throw incomplete('a list of operations', answer);
  const type = name === 'Invoices' ? 'invoice' : null;
  return rows.map((row) => rowOf(row, type));
}

/** Returns the operation in an answer about one operation (`operations/details`); null if there is none. */
export function readOperation(answer: ProviderAnswer): OperationRow | null {
  return isObject(answer.Data) ? rowOf(answer.Data, null) : null;
}

interface List {
  readonly name: string;
  readonly rows?: readonly Data[];
}

/** Common names of operation lists. If none of them is present, the first other list is used. */
const listNames = ['Operations', 'Items', 'Invoices', 'Transactions'];
/** Names of lists that contain the operations of each day. */
const dayNames = ['DailySets', 'Days'];

function listIn(data: unknown): List {
  if (Array.isArray(data)) return { name: '', rows: data.filter(isObject) };
  if (!isObject(data)) return { name: '' };
  const lists = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const usual = [...listNames, ...dayNames].find((name) => lists.includes(name));
  const name = usual ?? lists[0];
  if (name === undefined) return { name: '' };
  const rows = (data[name] as readonly unknown[]).filter(isObject);
  if (!dayNames.includes(name)) return { name, rows };
  return { name, rows: rows.flatMap((day) => listIn(day).rows ?? []) };
}

function rowOf(raw: Data, listed: Payment['type'] | null): OperationRow {
  const returns = [raw.Returns, raw.Refunds].find(Array.isArray)?.filter(isObject) ?? [];
  const type = typeOf(raw) ?? listed;
  const id = anyIdOf(firstOf(raw, idNames[type ?? 'qr']));
  return {
    id,
    otherId: otherIdIn(raw, id),
    type,
    profileId: wholeNumberOf(raw.ProfileId),
    ...amountIn(raw),
    returned: amountIn(raw, ['ReturnedAmount', 'ReturnAmount']).amount,
    status: textOf(raw.Status),
    clientPhone: textOf(firstOf(raw, ['ClientMobile', 'ClientPhone'])),
    transactionDate: timeIn(raw),
    key: textOf(raw.IdempotencyKey),
    returns: returns.map((entry) => ({
      id: anyIdOf(firstOf(entry, ['Id', 'ReturnId', 'OperationId'])),
      ...amountIn(entry, ['ReturnAmount', 'Amount']),
      transactionDate: timeIn(entry),
      key: textOf(entry.IdempotencyKey),
    })),
    raw,
  };
}

function timeIn(data: Data): string | null {
  return textOf(firstOf(data, ['TransactionDate', 'CreatedDate', 'Date']));
}

/** Returns the type that a row states or that its status implies. */
function typeOf({ OperationType, Status }: Data): Payment['type'] | null {
  const name = textOf(OperationType) ?? '';
  if (/^qr/i.test(name)) return 'qr';
  if (/^(invoice|remote)/i.test(name)) return 'invoice';
  const status = name === '' ? (textOf(Status) ?? '') : '';
  if (status.startsWith('QrToken')) return 'qr';
  return status.startsWith('RemotePayment') ? 'invoice' : null;
}

/** The input of `operations/history`. */
interface Period {
  readonly endDate: string;
  readonly lastTransactionDate?: string;
  readonly statementPeriodCode: number;
}

/** Maximum number of history pages that are requested from a provider. */
const maxPages = 1_000;

/**
 * Yields the provider's operations from the day of `until` back to `since` (milliseconds since the epoch), newest first,
 * page by page. Includes rows with unreadable times.
 */
export async function* operationsBack(
  ask: (period: Period) => Promise<ProviderAnswer>,
  { since, until, zone }: { readonly since: number; readonly until: number; readonly zone: string },
): AsyncGenerator<OperationRow> {
  let last: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const older = last === undefined ? {} : { lastTransactionDate: last };
    const endDate = providerDay(until, zone);
    const answer = await ask({ endDate, ...older, statementPeriodCode: 0 });
    const rows = readOperations(answer);
    for (const row of rows) {
      if (madeAt(row, zone) >= since) yield row;
    }
    const oldest = rows.at(-1);
    const next = oldest?.transactionDate ?? undefined;
    // The list ends on the last page, on a page without a new position, and before `since`.
    if (!oldest || !next || next === last || isLast(answer) || madeAt(oldest, zone) < since) return;
    last = next;
  }
}

/** Returns whether the provider marks the page as the last one. */
function isLast({ Data: data }: ProviderAnswer): boolean {
  return isObject(data) && data.HasMore === false;
}

function madeAt({ transactionDate }: OperationRow, zone: string): number {
  return parseProviderTime(transactionDate ?? '', zone) ?? Number.POSITIVE_INFINITY;
}
