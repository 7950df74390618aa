import { escapeForeign } from '../../base/foreign-text.js';
import { formatPhone, formatTenge } from '../formats.js';
import { describeResult, doubtWords, sandboxResult } from '../payment/payment-words.js';
import type { TillPayment, TillScreen, TillState } from './till-types.js';
import {
  allKeys,
  doubtsText,
  noticeLine,
  openLine,
  refundMarks,
  refundSentences,
  sandboxMark,
  statusOf,
} from './till-words.js';

/** Returns lines that describe the changes between two states, for plain mode. */
export function spokenChanges(
  before: TillState | undefined,
  now: TillState,
  doubtsCommand: string,
): readonly string[] {
  const lines: string[] = [];
  if (now.away !== before?.away) {
    if (now.away !== undefined) lines.push(`! ${now.away} Retrying.`);
    else if (before?.away !== undefined) lines.push('✓ The gateway is available again.');
  }
  if (now.notice && now.notice !== before?.notice) {
    const line = noticeLine(now.notice, Number.POSITIVE_INFINITY);
    if (line) lines.push(`${line.before}${line.symbol}${line.after}`);
  }
  if (now.isSandbox && !before?.isSandbox) lines.push(`${sandboxMark}: no money moves.`);
  lines.push(...doubtChange(before?.inDoubt ?? 0, now.inDoubt ?? 0, doubtsCommand));
  const isSame = before && shapeOf(before) === shapeOf(now);
  if (!isSame) lines.push(...(now.signingIn ? signInLines(now) : screenLines(now, now.screen)));
  else lines.push(...statusChange(before, now));
  return lines.map(escapeForeign);
}

function doubtChange(before: number, now: number, command: string): readonly string[] {
  if (now === before) return [];
  return [now === 0 ? '✓ No requests are in doubt.' : `? ${doubtsText(now, command)}`];
}

/** Returns the parts of the state that are printed when they change. The time left is not one of them. */
function shapeOf({ screen, signingIn, shop }: TillState): string {
  return JSON.stringify([screen, signingIn, shop]);
}

/** Returns the status of the shown payment if it has changed. */
function statusChange(before: TillState, now: TillState): readonly string[] {
  const [then, payment] = [shownPayment(before), shownPayment(now)];
  if (!then || !payment) return [];
  const line = lineOf(now, payment);
  return line === lineOf(before, then) ? [] : [line];
}

function lineOf(state: TillState, payment: TillPayment): string {
  const { symbol, text } = statusOf(state, payment);
  return `${symbol} ${text}`;
}

function shownPayment({ screen, open }: TillState): TillPayment | undefined {
  return screen.name === 'payment' ? open.find(({ key }) => key === screen.key) : undefined;
}

function signInLines({ signingIn }: TillState): readonly string[] {
  if (!signingIn) return [];
  const { step, field, said, phone } = signingIn;
  const fault = faultLines(field.fault);
  switch (step) {
    case 'phone':
      return [
        ...fault,
        phone === '' ? 'Nobody is signed in.' : 'Sign in. Press Enter for a new code.',
        'Cashier’s phone:',
      ];
    case 'code':
      return [...fault, said, 'Code from the SMS:'];
    case 'sending':
      return [`Sending a code to ${formatPhone(phone)}.`];
    case 'checking':
      return ['Checking the code.'];
  }
}

function faultLines(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : [`✗ ${fault}`];
}

function screenLines(state: TillState, screen: TillScreen): readonly string[] {
  switch (screen.name) {
    case 'amount':
      return [...faultLines(screen.field.fault), amountPrompt(state)];
    case 'asking':
      return [`Requesting a payment of ${formatTenge(screen.sale.amount)}.`];
    case 'doubt':
      return doubtLines(screen);
    case 'payment':
      return paymentLines(state);
    case 'result':
      return resultLines(screen.payment);
    case 'open':
      return listLines(
        'Open payments',
        state.open.map((each) => openLine(state, each)),
      );
    case 'phone':
      return screen.asked
        ? ['Looking up the customer.']
        : [...faultLines(screen.field.fault), 'Invoice. Type b to go back. Customer’s phone:'];
    case 'invoice': {
      const { client, field } = screen;
      const customer = `${client.name || 'an unnamed customer'}, ${formatPhone(client.phone)}`;
      return [...faultLines(field.fault), `Invoice to ${customer}. Type b to go back. Amount:`];
    }
    default:
      return furtherLines(state, screen);
  }
}

function furtherLines(state: TillState, screen: TillScreen): readonly string[] {
  switch (screen.name) {
    case 'refunds':
      if (!screen.rows) return ['Loading.'];
      return listLines(
        'Refund a payment',
        screen.rows.map((row) =>
          [formatTenge(row.left), row.when, row.client, row.id, ...refundMarks(state, row)].join(
            '  ',
          ),
        ),
      );
    case 'refund':
      return refundLines(state, screen);
    case 'history':
      if (!screen.rows) return ['Loading.'];
      return [
        'History',
        ...screen.rows.map(({ id, when, amount, status, client }) =>
          [when, amount === undefined ? '' : formatTenge(amount), status, client, id].join('  '),
        ),
        back,
      ];
    case 'totals':
      return screen.totals ? totalLines(screen.totals) : ['Loading.'];
    case 'keys':
      return [...allKeys.map(({ key, does }) => `${key === 'Esc' ? 'b' : key}: ${does}`), back];
    default:
      return [];
  }
}

const back = 'Press Enter to go back.';

function amountPrompt({ open }: TillState): string {
  const waiting = open.length === 0 ? '' : ` ${open.length} open (o).`;
  return `i invoice, r refund, h history, t today, ? keys.${waiting} Amount:`;
}

function doubtLines({ sale, reason }: Extract<TillScreen, { name: 'doubt' }>): readonly string[] {
  const next =
    sale.type === 'qr'
      ? 'Its code was not shown, so nobody can pay it. Press Enter to create a new one, or type b to go back.'
      : 'The customer may have received it. Do not send another one until this is clear. Press Enter to repeat the request, or type b to go back.';
  const { what } = doubtWords[sale.type];
  return [`? ${what}: ${formatTenge(sale.amount)}. ${reason}`, next];
}

function paymentLines(state: TillState): readonly string[] {
  const payment = shownPayment(state);
  if (!payment) return [];
  const { card, type } = payment;
  const facts = [`Payment ${card.id}, ${formatTenge(card.amount)}`];
  if (card.link !== undefined) facts.push(`Link: ${card.link}`);
  if (card.clientName !== undefined) facts.push(`Customer: ${card.clientName}`);
  const cancel = type === 'invoice' ? 'Type c to cancel the invoice. ' : '';
  return [
    ...facts,
    lineOf(state, payment),
    `${cancel}Type b for the next sale. This payment stays open.`,
  ];
}

function resultLines({ card, kind, ...standing }: TillPayment): readonly string[] {
  const { symbol, title, reason } = describeResult(kind, standing);
  const lines = [`${symbol} ${title}  ${formatTenge(card.amount)}`, reason];
  if (card.sandbox) lines.push(sandboxResult);
  lines.push(`Payment ${card.id}`);
  if (kind === 'success' && card.receiptUrl) lines.push(`Receipt: ${card.receiptUrl}`);
  return [...lines, 'Press Enter for the next sale.'];
}

function listLines(title: string, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [`${title}: none.`, back];
  return [
    title,
    ...rows.map((row, index) => `${index + 1}. ${row}`),
    'Type a number to select its row, or b to go back.',
  ];
}

function refundLines(
  state: TillState,
  screen: Extract<TillScreen, { name: 'refund' }>,
): readonly string[] {
  const { of, field, step, amount = 0, left, reason } = screen;
  switch (step) {
    case 'typing':
      return [
        ...faultLines(field.fault),
        `Return ${field.text} ₸ of payment ${of.id} (at most ${formatTenge(of.left)})?`,
        ...refundSentences(state, of),
        'Type y to return the money, a number to change the amount, or b to go back.',
      ];
    case 'returning':
      return [`Returning ${formatTenge(amount)}.`];
    case 'doubt':
      return [
        ...(reason === undefined ? [] : [`! ${reason}`]),
        '? It is not known whether the money was returned. Type y to repeat the request under the same key, which returns the money only once, or b to go back.',
      ];
    case 'returned': {
      const rest = left === undefined ? '' : ` Left: ${formatTenge(left)}.`;
      return [`✓ Returned  ${formatTenge(amount)}.${rest} Press Enter for the next sale.`];
    }
  }
}

function totalLines({
  day,
  gross,
  returned,
  net,
}: NonNullable<Extract<TillScreen, { name: 'totals' }>['totals']>) {
  return [
    `Today, ${day}`,
    `Gross: ${formatTenge(gross.sum)}, ${gross.count} paid`,
    `Returned: ${formatTenge(-returned.sum)}, ${returned.count} returned`,
    `Net: ${formatTenge(net)}`,
    back,
  ];
}
