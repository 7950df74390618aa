import { describe, expect, it } from 'vitest';
import type { TillScreen } from '../../../src/terminal/till/till-types.js';
import { filledHalves, readQr } from '../../helpers/read-qr.js';
import { code, draw, ended, isNotice, later, next, sizes, stateOn } from './other-payments.js';
import { now, payment, returnable } from './till-samples.js';

describe('the notice of another payment', () => {
  const paid = next(stateOn(code), ended('success'));

  const codeIn = (lines: readonly string[]) =>
    readQr(lines.map((line) => [...line].map(filledHalves)));

  it.each([
    ['120 × 40', [120, 40], /^another payment: ✓ PAID {2}2 911 ₸ {2}payment 1795239999$/],
    ['80 × 24', [80, 24], /^another payment: ✓ PAID {2}2 911 ₸ {2}payment 1795239999$/],
    ['40 × 20', [40, 20], /^another payment: ✓ PAID {2}2 911 ₸$/],
    ['45 × 22', [45, 22], /^another payment: ✓ PAID {2}2 911 ₸$/],
    ['33 × 20', [33, 20], /^another payment: ✓ PAID {2}2 911 ₸$/],
    ['24 × 12', [24, 12], /^another payment: ✓ PAID$/],
  ] as const)('has a separate line at %s', (_, size, wanted) => {
    const frame = draw(paid, size);
    expect(frame.filter(isNotice)).toEqual([expect.stringMatching(wanted)]);
    expect(codeIn(frame)).toBe(codeIn(draw(stateOn(code), size)));
  });

  it('is not shown if there is no space for it', () => {
    for (const size of [
      [33, 18],
      [51, 17],
      [16, 6],
    ] as const) {
      expect(draw(paid, size).filter(isNotice)).toEqual([]);
    }
  });

  it.each(sizes)('disappears after 10 seconds in the layout “%s”', (_, size) => {
    const open = { open: paid.open };
    expect(draw(later(paid, 9_999), size)).toEqual(draw(paid, size));
    expect(draw(later(paid, 10_000), size)).toEqual(draw({ ...stateOn(code), ...open }, size));
  });

  it('does not depend on the wall clock', () => {
    const hourLater = { on: 'tick', now: now + 3_600_000, moment: paid.moment + 9_999 } as const;
    expect(next(paid, hourLater).notice).toEqual(paid.notice);
    const dayBefore = { on: 'tick', now: now - 86_400_000, moment: paid.moment + 10_000 } as const;
    expect(next(paid, dayBefore).notice).toBeUndefined();
  });

  it('looks the same on every other screen of the till', () => {
    const screens: readonly TillScreen[] = [
      { name: 'amount', field: { text: '15' } },
      { name: 'asking', sale: { key: 'shift-9', type: 'qr', amount: 1500 } },
      { name: 'result', payment: payment({ isOpen: false, kind: 'failed', endedAt: now }) },
      { name: 'refund', of: returnable('1795230000'), field: { text: '500' }, step: 'typing' },
    ];
    for (const screen of screens) {
      const frame = draw(next({ ...stateOn(code), screen }, ended('success')), [40, 20]);
      expect(frame.at(-2)).toBe('another payment: ✓ PAID  2 911 ₸');
    }
  });
});
