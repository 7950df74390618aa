import { expect, it } from 'vitest';
import type { PayContext } from '../../../commands/pay/pay-context.js';
import { type Leaving, printLastWords } from '../../../commands/pay/till/last-words.js';
import { openTill } from '../../../src/terminal/till/till-steps.js';
import type { TillRefund } from '../../../src/terminal/till/till-types.js';
import { now, payment, returnable } from '../../terminal/till/till-samples.js';

const refund: TillRefund = {
  key: 'shift-1',
  of: returnable('1795230001'),
  amount: 500,
  step: 'asked',
  isInDoubt: false,
};
const sale = { key: 'shift-2', type: 'invoice', amount: 700 } as const;
const state = openTill('shift', now);

/** Returns the lines that a till prints on exit if it was opened with --data. */
function said(leaving: Partial<Leaving>): string {
  const lines: string[] = [];
  const pay = {
    context: { output: { note: (line: string) => lines.push(line) } },
    input: { options: { data: '/srv/my data' } },
  } as unknown as PayContext; // only the parts that printLastWords uses
  printLastWords(pay, { state, pending: [], refunds: [], lateEvents: [], ...leaving });
  return lines.join('\n');
}

const failure = (kind: 'refused' | 'doubt') => ({ kind, text: 'It says why.' });

it('a closing till prints nothing if nothing is open or in doubt', () => {
  expect(said({})).toBe('');
});

it('a closing till lists the open payments with the commands to resume', () => {
  expect(said({ state: { ...state, open: [payment()] } })).toBe(
    [
      'Payment 1795230000 of 1 500 ₸ is still open. The customer can still pay it.',
      "Resume waiting: msgsite pay wait 1795230000 --data '/srv/my data'",
    ].join('\n'),
  );
});

it('a closing till lists each sale in doubt once', () => {
  const asking = { ...state, doubts: [sale], screen: { name: 'asking', sale } } as const;
  expect(said({ state: asking, pending: [{ do: 'create', sale }] })).toBe(
    [
      'It is not known whether the invoice for 700 ₸ was sent. Do not send another invoice until this is clear.',
      "List requests in doubt: msgsite pay payments --state in_doubt --data '/srv/my data'",
    ].join('\n'),
  );
});

it('a closing till lists the refunds in doubt and how to repeat them', () => {
  expect(said({ state: { ...state, refunds: [refund] }, refunds: [refund] })).toBe(
    [
      'It is not known whether 500 ₸ of payment 1795230001 were returned.',
      "It is safe to repeat the refund, because it uses the same key. Run: msgsite pay refund 1795230001 --amount 500 --data '/srv/my data'",
      "List requests in doubt: msgsite pay payments --state in_doubt --data '/srv/my data'",
    ].join('\n'),
  );
});

it.each([
  [
    'was made',
    { on: 'refunded', key: 'shift-1', left: 0, note: undefined } as const,
    '✓ Returned  500 ₸ of payment 1795230001',
  ],
  [
    'was declined',
    { on: 'not_refunded', key: 'shift-1', failure: failure('refused') } as const,
    '✗ Not returned  500 ₸ of payment 1795230001: It says why.',
  ],
])('a closing till reports a refund that %s after the cashier closed it', (_, event, words) => {
  expect(said({ refunds: [refund], lateEvents: [event] })).toBe(words);
});

it('a closing till does not report a refund as declined if it was in doubt before', () => {
  const event = { on: 'not_refunded', key: 'shift-1', failure: failure('refused') } as const;
  const doubt: TillRefund = { ...refund, step: 'doubt', isInDoubt: true };
  const words = said({
    state: { ...state, refunds: [doubt] },
    refunds: [{ ...doubt, step: 'asked' }],
    lateEvents: [event],
  });
  expect(words).toMatch(/^It is not known whether 500 ₸/);
});
