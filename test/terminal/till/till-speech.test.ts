import { describe, expect, it } from 'vitest';
import { spokenChanges } from '../../../src/terminal/till/till-speech.js';
import { openTill, sayOfOther } from '../../../src/terminal/till/till-steps.js';
import type { TillState } from '../../../src/terminal/till/till-types.js';
import { now, payment, returnable } from './till-samples.js';

const command = 'msgsite pay payments --state in_doubt';
const opened: TillState = {
  ...openTill('shift', now),
  open: [payment()],
  screen: { name: 'payment', key: payment().key },
};

const said = (before: TillState, after: TillState) => spokenChanges(before, after, command);

describe('the till in plain mode', () => {
  it('reports another payment in a line that begins with “another payment”', () => {
    const line = { tone: 'busy', symbol: '✓', text: 'PAID' } as const;
    const notified = sayOfOther(opened, line, '2 911 ₸', 'payment 1795239999');
    expect(said(opened, notified)).toEqual([
      'another payment: ✓ PAID  2 911 ₸  payment 1795239999',
    ]);
    expect(said(notified, { ...notified, moment: 5 })).toEqual([]);
  });

  it('reports how many requests are in doubt whenever the number changes', () => {
    const two = { ...opened, inDoubt: 2 };
    expect(said({ ...opened, inDoubt: 0 }, two)).toEqual([`? 2 in doubt: ${command}`]);
    expect(said(two, two)).toEqual([]);
    expect(said(two, { ...two, inDoubt: 0 })).toEqual(['✓ No requests are in doubt.']);
    expect(said(opened, { ...opened, inDoubt: 0 })).toEqual([]);
  });

  it('mentions the sandbox at startup and in each result', () => {
    const sandbox = { ...opened, isSandbox: true };
    expect(said(opened, sandbox)).toEqual(['SANDBOX: no money moves.']);
    expect(said(sandbox, sandbox)).toEqual([]);
    const card = { ...payment().card, sandbox: true };
    const paid = payment({ kind: 'success', isOpen: false, card });
    const result: TillState = { ...sandbox, screen: { name: 'result', payment: paid } };
    expect(said(sandbox, result)).toContain('Sandbox: no money moved.');
  });

  it('mentions refunds that have no outcome yet in the list and beside the amount', () => {
    const of = returnable('1795230000');
    const asked = { key: 'shift-1', of, amount: 500, step: 'asked', isInDoubt: false } as const;
    const state: TillState = { ...opened, refunds: [asked] };
    const list: TillState = { ...state, screen: { name: 'refunds', rows: [of], selected: 0 } };
    expect(said(state, list).join('\n')).toMatch(/1\. 1 500 ₸ .+1795230000 {2}◐ 500 ₸$/m);
    const field = { text: '1500' };
    const typing: TillState = { ...state, screen: { name: 'refund', of, field, step: 'typing' } };
    expect(said(state, typing)).toContain(
      '◐ 500 ₸ is being returned. Returning this amount again waits for this refund.',
    );
  });
});
