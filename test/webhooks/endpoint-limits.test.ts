import { describe, expect, it } from 'vitest';
import { createShares } from '../../src/webhooks/delivering/endpoint-limits.js';

const limits = { perReceiver: 4, perFailingReceiver: 2, total: 6, reserved: 1 };

type Shares = ReturnType<typeof createShares>;

function fill(receivers: Shares, receiver: string, count: number): void {
  for (let index = 0; index < count; index++)
    receivers.add({ id: `${receiver}${index}`, receiver, dueAt: 0 });
}

function takeAll(receivers: Shares): string[] {
  const taken: string[] = [];
  for (let entry = receivers.take(); entry; entry = receivers.take()) taken.push(entry.receiver);
  return taken.sort();
}

describe('endpoint limits', () => {
  it('restrict concurrent requests per receiver and in total, in equal shares', () => {
    const receivers = createShares(limits);
    fill(receivers, 'a', 10);
    expect(takeAll(receivers)).toEqual(['a', 'a', 'a', 'a']);
    fill(receivers, 'b', 10);
    expect(takeAll(receivers)).toEqual(['b', 'b']);
    receivers.finished('a', false);
    expect(takeAll(receivers)).toEqual(['b']);
  });

  it('reserve a share for each receiver even if others use all the rest', () => {
    const receivers = createShares({ ...limits, total: 4 });
    fill(receivers, 'hanging', 10);
    takeAll(receivers);
    fill(receivers, 'good', 3);
    expect(takeAll(receivers)).toEqual(['good']);
    receivers.finished('good', false);
    expect(takeAll(receivers)).toEqual(['good']);
  });

  it('reduce the number of requests to a failing receiver until it accepts one', () => {
    const receivers = createShares(limits);
    fill(receivers, 'a', 40);
    for (let failures = 0; failures < 8; failures++) {
      receivers.take();
      receivers.finished('a', true);
    }
    expect(takeAll(receivers)).toHaveLength(2);
    receivers.finished('a', null);
    expect(takeAll(receivers)).toHaveLength(1);
    receivers.finished('a', false);
    expect(takeAll(receivers)).toHaveLength(3);
  });
});
