import { formatTenge } from '../../../src/terminal/formats.js';
import type {
  Sale,
  TillEvent,
  TillPayment,
  TillRefund,
  TillState,
} from '../../../src/terminal/till/till-types.js';
import { nextCommand } from '../../next-command.js';
import type { PayContext } from '../pay-context.js';
import type { GatewayEffect } from './effects.js';

/** Maximum number of open payments listed when the till closes. */
const maxListed = 20;

export interface Leaving {
  readonly state: TillState;
  /** Requests to which the gateway has not responded yet. */
  readonly pending: readonly GatewayEffect[];
  /** Refunds without an outcome when the cashier closed the till. */
  readonly refunds: readonly TillRefund[];
  /** Events that arrived after the cashier closed the till. */
  readonly lateEvents: readonly TillEvent[];
}

/** Prints the open payments and the requests in doubt, and what to do about them. */
export function printLastWords({ context: { output }, input }: PayContext, leaving: Leaving): void {
  const { state } = leaving;
  for (const event of leaving.lateEvents) {
    const words = refundWords(event, leaving.refunds);
    if (words !== undefined) output.note(words);
  }
  for (const payment of state.open.slice(0, maxListed)) output.note(openWords(input, payment));
  const more = state.open.length - maxListed;
  if (more > 0) {
    const list = nextCommand(input, 'pay payments', ['--state', 'open']);
    output.note(`${more} more are still open: ${list}`);
  }
  const sales = doubtsOf(leaving);
  for (const sale of sales.slice(0, maxListed)) output.note(saleDoubtWords(sale));
  for (const refund of state.refunds.slice(0, maxListed)) {
    output.note(refundDoubtWords(input, refund));
  }
  if (sales.length > 0 || state.refunds.length > 0) {
    const list = nextCommand(input, 'pay payments', ['--state', 'in_doubt']);
    output.note(`List requests in doubt: ${list}`);
  }
}

type Input = Parameters<typeof nextCommand>[0];

function openWords(input: Input, { type, card: { id, amount } }: TillPayment): string {
  const lines = [
    `Payment ${id} of ${formatTenge(amount)} is still open. The customer can still pay it.`,
    `Resume waiting: ${nextCommand(input, 'pay wait', [id])}`,
  ];
  if (type === 'invoice') {
    lines.push(`Cancel it:     ${nextCommand(input, 'pay invoice cancel', [id])}`);
  }
  return lines.join('\n');
}

/** Returns the sales that are in doubt or in progress. */
function doubtsOf({ state: { doubts, screen }, pending }: Leaving): readonly Sale[] {
  const creating = pending.flatMap((effect) => (effect.do === 'create' ? [effect.sale] : []));
  const all = [...(screen.name === 'asking' ? [screen.sale] : []), ...creating, ...doubts];
  return [...new Map(all.map((sale) => [sale.key, sale])).values()];
}

function saleDoubtWords({ type, amount }: Sale): string {
  return type === 'qr'
    ? `It is not known whether a code for ${formatTenge(amount)} was created. It was not shown, so nobody can pay it.`
    : `It is not known whether the invoice for ${formatTenge(amount)} was sent. Do not send another invoice until this is clear.`;
}

function refundDoubtWords(input: Input, { of: { id }, amount }: TillRefund): string {
  const again = nextCommand(input, 'pay refund', [id, '--amount', String(amount)]);
  return [
    `It is not known whether ${formatTenge(amount)} of payment ${id} were returned.`,
    `It is safe to repeat the refund, because it uses the same key. Run: ${again}`,
  ].join('\n');
}

/** Returns the line about a refund that ended after the cashier closed the till. */
function refundWords(event: TillEvent, refunds: readonly TillRefund[]): string | undefined {
  if (event.on !== 'refunded' && event.on !== 'not_refunded') return undefined;
  const refund = refunds.find(({ key }) => key === event.key);
  if (!refund) return undefined;
  const refunded = `${formatTenge(refund.amount)} of payment ${refund.of.id}`;
  if (event.on === 'refunded') return `✓ Returned  ${refunded}`;
  const { kind, text } = event.failure;
  return kind === 'refused' && !refund.isInDoubt
    ? `✗ Not returned  ${refunded}: ${text}`
    : undefined;
}
