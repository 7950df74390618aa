import type { IntentRow, PaymentRow } from '#validators/gateway';
import { AppError } from '../../src/base/errors.js';
import { compareTexts } from '../../src/base/records.js';
import type { Newest, PaymentRecords } from '../../src/payments/client/gateway-client.js';
import type { PaymentState } from '../../src/payments/payment.js';
import type { RefundView } from '../../src/payments/payment-view.js';
import { maskPhone } from '../../src/payments/phone.js';
import type { IntentQuery } from '../../src/payments/record-pages.js';
import { formatMoment, formatPhone, formatTenge } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { readChoice } from '../flags.js';
import { cutText, limitOption, listText, readListLimit } from '../list.js';
import { nextCommand } from '../next-command.js';
import { type PayContext, payOptions, withPay } from './pay-context.js';

const paymentStates: readonly PaymentState[] = ['open', 'ended', 'unknown'];
const states = [...paymentStates, 'in_doubt'] as const;
const kinds = ['payment', 'refund'] as const;
const newest = 'first';

export const command: Command = {
  description:
    'List the payments of the data folder or database, newest first. Open payments are being watched. Ended payments have an outcome. Unknown payments have no known outcome or do not match the order. --state in_doubt lists requests that are in progress or received no clear response. --kind refund lists refunds.',
  options: [
    { flags: '--state <state>', description: 'list only payments in this state', choices: states },
    {
      flags: '--kind <kind>',
      description: 'what to list (default: payment)',
      choices: kinds,
    },
    limitOption('list at most n', 'all with --json'),
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay payments --state open', description: 'List open payments' },
    { command: 'msgsite pay payments --state in_doubt', description: 'List requests in doubt' },
    {
      command: 'msgsite pay payments --kind refund --json',
      description: 'Print refunds as JSON',
    },
  ],
  async run(context, input) {
    const { output } = context;
    // By default, scripts receive all rows, and a terminal shows one screenful.
    const limit = readListLimit(context, input, Number.POSITIVE_INFINITY);
    const list = listOf(context, input);
    const show = async ({ gateway, records }: PayContext) => {
      const zone = await gateway.zone();
      const { payments, more, text, isUnwatched } = await list(await records(), limit, zone);
      output.result({ payments, more }, text);
      if (isUnwatched) output.note(unwatchedText(input));
      if (more) output.note(cutText(limit));
      return undefined;
    };
    return withPay(context, input, show, { listsOnly: true });
  },
};

interface Listed {
  /** The rows for JSON. */
  readonly payments: readonly object[];
  readonly more: boolean;
  readonly text: () => string;
  /** True if some payments are open and no process watches them. */
  readonly isUnwatched?: boolean;
}

type List = (records: PaymentRecords, limit: number, zone: string) => Promise<Listed>;

/** Returns the list that the flags select: payments, refunds, or requests in doubt. */
function listOf(context: CommandContext, input: CommandInput): List {
  const state = readChoice(input, 'state', states);
  const kind = readChoice(input, 'kind', kinds);
  if (state === 'in_doubt') {
    const ofKind = kind === 'refund' ? (['refund'] as const) : (['qr', 'invoice'] as const);
    const all = ['qr', 'invoice', 'refund'] as const;
    return async (records, limit, zone) => {
      const { rows, more } = await openIntents(records, { kinds: kind ? ofKind : all, limit });
      const columns = doubtColumns(zone);
      const list = { rows, columns, empty: 'Nothing is in doubt.', newest } as const;
      return { payments: rows.map(inDoubt), more, text: () => listText(context, list) };
    };
  }
  if (kind === 'refund') return refundsIn(context, state);
  return async (records, limit, zone) => {
    const query = { states: state ? [state] : paymentStates, limit };
    const { rows: stored, more } = await records.payments(query);
    const isOpen = stored.some((row) => row.state === 'open');
    const isUnwatched = isOpen && !(await records.isWatched());
    const rows = isUnwatched ? stored.map((row) => asUnwatched(row, context.clock.now())) : stored;
    const list = { rows, columns: paymentColumns(zone), empty: 'No payments.', newest } as const;
    return { payments: rows, more, text: () => listText(context, list), isUnwatched };
  };
}

function asUnwatched(payment: PaymentRow, now: number): ListedPayment {
  const { state, expiresAt } = payment;
  const hasExpired = state === 'open' && expiresAt !== null && Date.parse(expiresAt) <= now;
  return hasExpired ? { ...payment, maybeExpired: true } : payment;
}

function unwatchedText(input: CommandInput): string {
  const wait = nextCommand(input, 'pay wait', ['ID']);
  return `No process watches open payments. Run msgsite serve, or run: ${wait}`;
}

/** Returns the requests in doubt and those in progress in any process, newest first. */
async function openIntents(
  records: PaymentRecords,
  query: Pick<IntentQuery, 'kinds' | 'limit'>,
): Promise<Newest<IntentRow>> {
  // In this order, a request whose state changes between the two queries is read twice, and the later state is used.
  const running = await records.intents({ ...query, state: 'running' });
  const doubtful = await records.intents({ ...query, state: 'in_doubt' });
  const rows = new Map([...running.rows, ...doubtful.rows].map((row) => [row.intent, row]));
  const sorted = [...rows.values()].sort(
    (a, b) => compareTexts(b.createdAt, a.createdAt) || compareTexts(b.intent, a.intent),
  );
  const more = running.more || doubtful.more || sorted.length > query.limit;
  return { rows: sorted.slice(0, query.limit), more };
}

/** Returns the JSON of a request in doubt or in progress. */
function inDoubt({ intent, kind, amount, key, createdAt, candidates, state }: IntentRow) {
  const running = state === 'running' ? { running: true } : {};
  return { intent, kind, amount, key, createdAt, candidates, ...running };
}

function refundsIn(context: CommandContext, state: PaymentState | undefined): List {
  if (state === 'open' || state === 'unknown') {
    throw new AppError(
      'usage',
      `A refund cannot be ${state}. It has either ended or is in doubt.`,
      {
        hint: 'Use --state ended or --state in_doubt with --kind refund.',
      },
    );
  }
  return async (records, limit, zone) => {
    const { rows, more } = await records.refunds({ only: state, limit });
    const list = { rows, columns: refundColumns(zone), empty: 'No refunds.', newest } as const;
    return { payments: rows, more, text: () => listText(context, list) };
  };
}

interface ListedPayment extends PaymentRow {
  /** True for an open payment after its ExpireDate that no process watches. */
  readonly maybeExpired?: true;
}

function stateText({ state, outcome, maybeExpired }: ListedPayment): string {
  return maybeExpired ? 'expired?' : (outcome ?? state);
}

function paymentColumns(zone: string): readonly TableColumn<ListedPayment>[] {
  return [
    { title: 'CREATED', optional: 2, text: ({ createdAt }) => moment(createdAt, zone) },
    { title: 'ID', text: ({ paymentId }) => paymentId },
    { title: 'TYPE', optional: 4, text: ({ type }) => type },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'STATE', text: stateText },
    { title: 'STATUS', shrinkTo: 12, optional: 3, text: ({ status }) => status },
    // This column is never omitted, because a changed outcome is the most important fact.
    { title: 'FLIPPED TO', shrinkTo: 12, text: ({ flippedTo }) => flippedTo ?? '' },
    { title: 'REFERENCE', shrinkTo: 10, optional: 6, text: ({ reference }) => reference ?? '' },
    { title: 'CUSTOMER', optional: 5, text: ({ clientPhone }) => formatPhone(clientPhone ?? '') },
  ];
}

function refundColumns(zone: string): readonly TableColumn<RefundView>[] {
  return [
    {
      title: 'CREATED',
      optional: 1,
      text: ({ createdAt }) => moment(createdAt, zone),
    },
    { title: 'ID', text: ({ id }) => id },
    { title: 'PAYMENT', text: ({ paymentId }) => paymentId },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'OUTCOME', text: ({ outcome }) => outcome ?? 'in doubt' },
    { title: 'CASHIER', optional: 2, text: ({ cashier }) => maskPhone(cashier) },
  ];
}

function doubtColumns(zone: string): readonly TableColumn<IntentRow>[] {
  return [
    { title: 'CREATED', optional: 2, text: ({ createdAt }) => moment(createdAt, zone) },
    { title: 'INTENT', text: ({ intent }) => intent },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'STATE', text: ({ state }) => (state === 'running' ? 'in progress' : '') },
    { title: 'OF', optional: 1, text: ({ paymentId }) => paymentId ?? '' },
    {
      title: 'MAY BE',
      optional: 3,
      shrinkTo: 12,
      text: ({ candidates }) =>
        candidates.map(({ id, madeAt }) => `${id} (${moment(madeAt, zone)})`).join(' '),
    },
    { title: 'KEY', shrinkTo: 12, optional: 4, text: ({ key }) => key },
  ];
}

function moment(time: string, zone: string): string {
  return formatMoment(Date.parse(time), zone);
}
