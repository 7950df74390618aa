import { escapeForeign } from '../../src/base/foreign-text.js';
import { isObject } from '../../src/json/pointers.js';
import {
  type OperationRow,
  readOperation,
  readOperations,
} from '../../src/payments/providers/operation-rows.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { formatPhone, formatTenge } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';

/**
 * An operation in a table. The provider decides what its responses contain, so every field may be missing. With
 * `--json`, the provider's response is printed unchanged.
 */
export interface ShownOperation {
  readonly id: string;
  /** The provider's date and time, without a time zone. */
  readonly date: string;
  readonly type: string;
  readonly amount: number | undefined;
  readonly returned: number | undefined;
  readonly status: string;
  readonly statusDesc: string;
  readonly client: string;
  readonly phone: string;
  readonly orderNumber: string;
}

/** Returns the operations of a provider's list in their original order. */
export function readRows(answer: ProviderAnswer): readonly ShownOperation[] {
  return readOperations(answer).map(toRow);
}

/** Returns the operation in a response about one operation. */
export function readRow(answer: ProviderAnswer): ShownOperation {
  const row = readOperation(answer);
  return row ? toRow(row) : nothing;
}

export function toRow(row: OperationRow): ShownOperation {
  const { raw, amount, returned } = row;
  const phone = text(row.clientPhone);
  return {
    id: text(row.id),
    date: text(row.transactionDate).replace('T', ' ').slice(0, 19),
    type: text(raw.OperationType) || (phone ? 'Invoice' : ''),
    amount: amount ?? undefined,
    returned: returned || undefined,
    status: text(row.status),
    statusDesc: text(raw.StatusDesc ?? raw.StatusDescription),
    client: text(raw.ClientName),
    phone: formatPhone(phone),
    orderNumber: text(raw.OrderNumber),
  };
}

/** The row for a response without an operation. */
const nothing: ShownOperation = {
  id: '',
  date: '',
  type: '',
  amount: undefined,
  returned: undefined,
  status: '',
  statusDesc: '',
  client: '',
  phone: '',
  orderNumber: '',
};

/** Returns the customer's name from the response to a lookup. */
export function readClientName({ Data: data }: ProviderAnswer): string | undefined {
  return isObject(data) ? text(data.ClientName ?? data.Name) || undefined : undefined;
}

/** The columns of a table of operations. */
export const operationColumns: readonly TableColumn<ShownOperation>[] = [
  { title: 'DATE', optional: 2, text: ({ date }) => date },
  { title: 'ID', text: ({ id }) => id },
  { title: 'TYPE', optional: 5, text: ({ type }) => type },
  { title: 'AMOUNT', align: 'right', text: ({ amount }) => money(amount) },
  { title: 'RETURNED', align: 'right', optional: 3, text: ({ returned }) => money(returned) },
  // RemotePaymentCreated and RemotePaymentCanceled differ only at the end.
  { title: 'STATUS', shrinkTo: 10, keep: 'end', text: ({ status }) => status },
  { title: 'CUSTOMER', shrinkTo: 10, optional: 4, text: ({ client, phone }) => client || phone },
  { title: 'ORDER', optional: 6, text: ({ orderNumber }) => orderNumber },
];

/** Returns an operation as lines of text, without unknown values. */
export function describeOperation(row: ShownOperation): string {
  const lines: readonly (readonly [string, string])[] = [
    ['Payment', row.id],
    ['Type', row.type],
    ['Amount', money(row.amount)],
    ['Returned', money(row.returned)],
    ['Status', [row.status, row.statusDesc].filter(Boolean).join(': ')],
    ['Customer', [row.client, row.phone].filter(Boolean).join(', ')],
    ['Date', row.date],
    ['Order', row.orderNumber],
  ];
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(9)}${value}`)
    .join('\n');
}

function money(amount: number | undefined): string {
  return amount === undefined ? '' : formatTenge(amount);
}

function text(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? escapeForeign(value) : '';
}
