import { formatTenge } from '../../../src/terminal/formats.js';
import type { Sale, TillPayment, TillState } from '../../../src/terminal/till/till-types.js';
import { nextCommand } from '../../next-command.js';
import type { PayContext } from '../pay-context.js';

/** Open payments that are listed one by one. */
const mostListed = 20;

/** What a cashier who leaves should know: what is open, what is in doubt, and how to go on. */
export function sayFarewell({ context: { output }, input }: PayContext, state: TillState): void {
  for (const payment of state.open.slice(0, mostListed)) output.note(openWords(input, payment));
  const more = state.open.length - mostListed;
  if (more > 0) {
    const list = nextCommand(input, 'pay payments', ['--state', 'open']);
    output.note(`${more} more are still open: ${list}`);
  }
  const doubts = doubtsOf(state);
  for (const sale of doubts.slice(0, mostListed)) output.note(doubtWords(sale));
  if (doubts.length > 0 || isReturning(state)) {
    if (isReturning(state)) output.note('It is not known whether the money was returned.');
    const list = nextCommand(input, 'pay payments', ['--state', 'in_doubt']);
    output.note(`What is in doubt: ${list}`);
  }
}

type Input = Parameters<typeof nextCommand>[0];

function openWords(input: Input, { type, card: { id, amount } }: TillPayment): string {
  const lines = [
    `Payment ${id} of ${formatTenge(amount)} is still open: the client can still pay it.`,
    `Go on waiting: ${nextCommand(input, 'pay wait', [id])}`,
  ];
  if (type === 'invoice') {
    lines.push(`Cancel it:     ${nextCommand(input, 'pay invoice cancel', [id])}`);
  }
  return lines.join('\n');
}

/** Sales in doubt, and the one that was being asked for. */
function doubtsOf({ doubts, screen }: TillState): readonly Sale[] {
  if (screen.name !== 'asking') return doubts;
  return [screen.sale, ...doubts.filter(({ key }) => key !== screen.sale.key)];
}

function doubtWords({ type, amount }: Sale): string {
  return type === 'qr'
    ? `It is not known whether a code of ${formatTenge(amount)} was made. It was not shown, so nobody can pay it.`
    : `It is not known whether the invoice of ${formatTenge(amount)} was sent: send no other one before this is clear.`;
}

function isReturning({ screen }: TillState): boolean {
  return screen.name === 'refund' && (screen.step === 'returning' || screen.step === 'doubt');
}
