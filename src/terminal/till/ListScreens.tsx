import { Text } from 'ink';
import type { ReactNode } from 'react';
import { mediumText } from '../big-text.js';
import { formatAmount, formatTenge, formatTimeOfDay } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { toneColors } from '../payment/payment-words.js';
import { formatTable, type TableColumn } from '../table.js';
import type { PartProps } from './till-face.js';
import type { PastOperation, Returnable, ScreenOf, TillPayment, TillScreen } from './till-types.js';
import { allKeys, cut, endLineOf, openLine, refundMarks, statusOf } from './till-words.js';

type Props<Name extends TillScreen['name']> = PartProps & { readonly screen: ScreenOf<Name> };

interface RowsProps extends PartProps {
  readonly title: string;
  /** Column titles. */
  readonly head?: string | undefined;
  readonly lines: readonly string[];
  /** Index of the selected row, or -1. */
  readonly selected: number;
  readonly empty: string;
}

/** Draws rows below a title. The selected row is marked and always visible. */
function Rows(props: RowsProps) {
  const { title, head, lines, selected, empty, style, columns, rows } = props;
  const { colors } = style;
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), lines.length - room));
  return (
    <>
      <Text>{colors.bold(title)}</Text>
      <Text wrap="truncate">{head === undefined ? ' ' : colors.dim(`  ${head}`)}</Text>
      {lines.length === 0 && <Text>{empty}</Text>}
      {lines.slice(first, first + room).map((line, index) => {
        const isSelected = first + index === selected;
        const text = cut(`${isSelected ? '›' : ' '} ${line}`, columns);
        return (
          <Text key={line} wrap="truncate">
            {isSelected ? colors.bold(text) : text}
          </Text>
        );
      })}
    </>
  );
}

const waiting: ReactNode = <Text>◐ Loading</Text>;

export function OpenScreen(props: Props<'open'>) {
  const { state, screen } = props;
  const lines = state.open.map((payment) => `${openLine(state, payment)}  ${payment.card.id}`);
  const chosen = { selected: screen.selected, empty: 'No open payments.' };
  return <Rows {...props} title="Open payments" lines={lines} {...chosen} />;
}

export function RefundsScreen(props: Props<'refunds'>) {
  const { rows, selected } = props.screen;
  if (!rows) return waiting;
  const numbered = rows.map((row, index) => ({
    ...row,
    number: String(index + 1),
    marks: inShort(refundMarks(props.state, row)),
  }));
  const hasMarks = numbered.some(({ marks }) => marks !== '');
  const columns = returnableColumns.filter((column) => hasMarks || column !== markColumn);
  const [head, ...lines] = tableLines(numbered, columns, props);
  const empty = 'No payments can be refunded.';
  return <Rows {...props} {...{ head, lines, selected, empty }} title="Refund a payment" />;
}

interface ReturnableRow extends Returnable {
  readonly number: string;
  /** Marks of refunds that have no outcome yet. */
  readonly marks: string;
}

/** Returns the newest mark and the number of other marks. */
function inShort([newest = '', ...more]: readonly string[]): string {
  return more.length === 0 ? newest : `${newest} +${more.length}`;
}

const markColumn: TableColumn<ReturnableRow> = { title: 'RETURNING', text: ({ marks }) => marks };

const returnableColumns: readonly TableColumn<ReturnableRow>[] = [
  { title: ' ', align: 'right', text: ({ number }) => number },
  { title: 'LEFT', align: 'right', text: ({ left }) => formatTenge(left) },
  { title: 'PAID', align: 'right', optional: 2, text: ({ amount }) => formatTenge(amount) },
  { title: 'DATE', optional: 1, text: ({ when }) => when },
  { title: 'CUSTOMER', optional: 3, shrinkTo: 8, text: ({ client }) => client },
  { title: 'PAYMENT', text: ({ id }) => id },
  markColumn,
];

export function HistoryScreen(props: Props<'history'>) {
  const { rows, top } = props.screen;
  if (!rows) return waiting;
  const [head, ...lines] = tableLines(rows, historyColumns, props);
  const empty = 'No operations in the last few days.';
  return (
    <Rows {...props} {...{ head, empty }} title="History" lines={lines.slice(top)} selected={-1} />
  );
}

const historyColumns: readonly TableColumn<PastOperation>[] = [
  { title: 'DATE', optional: 1, text: ({ when }) => when },
  {
    title: 'AMOUNT',
    align: 'right',
    text: ({ amount }) => (amount === undefined ? '' : formatTenge(amount)),
  },
  { title: 'STATUS', shrinkTo: 10, keep: 'end', text: ({ status }) => status },
  { title: 'CUSTOMER', optional: 3, shrinkTo: 8, text: ({ client }) => client },
  { title: 'PAYMENT', optional: 2, text: ({ id }) => id },
];

function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { columns: width }: PartProps,
): readonly string[] {
  return rows.length === 0 ? [] : formatTable({ rows, columns, width: width - 2 }).split('\n');
}

export function TotalsScreen(props: Props<'totals'>) {
  const { screen, style, columns, rows } = props;
  const { totals } = screen;
  if (!totals) return waiting;
  const { day, gross, returned, net } = totals;
  const { bold } = style.colors;
  const digits = rows >= 12 ? mediumText(formatAmount(net).replace('-', ''), columns) : undefined;
  const amounts = [gross.sum, -returned.sum, net].map(formatTenge);
  const width = Math.max(...amounts.map((text) => text.length));
  const line = (name: string, index: number, count = '') =>
    `${name.padEnd(10)}${(amounts[index] ?? '').padStart(width)}${count && `   ${count}`}`;
  return (
    <>
      <Text>{bold(`Today, ${day}`)}</Text>
      <Text> </Text>
      {digits && net >= 0 && <Lines lines={[...digits, '']} columns={columns} />}
      <Text>{line('Gross', 0, `${gross.count} paid`)}</Text>
      <Text>{line('Returned', 1, `${returned.count} returned`)}</Text>
      <Text>{bold(line('Net', 2))}</Text>
    </>
  );
}

export function KeysScreen(props: PartProps) {
  const { style, columns } = props;
  return (
    <>
      <Text>{style.colors.bold('Keys')}</Text>
      {props.rows > allKeys.length + 1 && <Text> </Text>}
      {allKeys.map(({ key, does }) => (
        <Text key={key} wrap="truncate">
          {`${style.colors.bold(key.padEnd(10))} ${cut(does, columns - 11)}`}
        </Text>
      ))}
    </>
  );
}

/** Draws as many open payments and recent results as fit. */
export function SideLists({ state, style, columns, rows }: PartProps) {
  const open = state.open.slice(0, Math.max(1, Math.floor(rows / 2) - 2));
  const more = state.open.length - open.length;
  const left = rows - (open.length > 0 ? open.length + 2 : 0) - (more > 0 ? 1 : 0);
  const ended = state.ended.slice(0, Math.max(0, left - 1));
  return (
    <>
      {open.length > 0 && <Text>{style.colors.bold('Open')}</Text>}
      {open.map((payment) => (
        <OpenRow key={payment.key} {...{ state, style, columns, payment }} />
      ))}
      {more > 0 && <Text>{style.colors.dim(`and ${more} more (press o)`)}</Text>}
      {open.length > 0 && <Text> </Text>}
      {ended.length > 0 && <Text>{style.colors.bold('Recent')}</Text>}
      {ended.map((payment) => (
        <Text key={payment.key} wrap="truncate">
          {cut(
            `${endLineOf(payment)}  ${formatTimeOfDay(payment.endedAt ?? state.now, style.zone)}`,
            columns,
          )}
        </Text>
      ))}
    </>
  );
}

interface OpenRowProps extends Pick<PartProps, 'state' | 'style' | 'columns'> {
  readonly payment: TillPayment;
}

function OpenRow({ state, style, columns, payment }: OpenRowProps) {
  const line = cut(openLine(state, payment), columns);
  const { tone, symbol } = statusOf(state, payment);
  return (
    <Text wrap="truncate">{`${style.colors[toneColors[tone]](symbol)}${line.slice(symbol.length)}`}</Text>
  );
}
