import { describe, expect, it } from 'vitest';
import { createLanes, type Lanes } from '../../src/webhooks/delivering/lanes.js';
import { createQueue } from '../../src/webhooks/delivering/queue.js';

const limits = { perLane: 4, perFailingLane: 2, total: 6, reserved: 1 };

function fill(lanes: Lanes, lane: string, count: number): void {
  for (let index = 0; index < count; index++) lanes.add({ id: `${lane}${index}`, lane, dueAt: 0 });
}

function takeAll(lanes: Lanes): string[] {
  const taken: string[] = [];
  for (let entry = lanes.take(); entry; entry = lanes.take()) taken.push(entry.lane);
  return taken.sort();
}

describe('lanes', () => {
  it('bound what runs for one receiver and in all, in equal shares', () => {
    const lanes = createLanes(limits);
    fill(lanes, 'a', 10);
    expect(takeAll(lanes)).toEqual(['a', 'a', 'a', 'a']);
    fill(lanes, 'b', 10);
    expect(takeAll(lanes)).toEqual(['b', 'b']);
    lanes.finished('a', false);
    expect(takeAll(lanes)).toEqual(['b']);
  });

  it('keep a sure share for a receiver when others use up everything', () => {
    const lanes = createLanes({ ...limits, total: 4 });
    fill(lanes, 'hanging', 10);
    takeAll(lanes);
    fill(lanes, 'good', 3);
    expect(takeAll(lanes)).toEqual(['good']);
    lanes.finished('good', false);
    expect(takeAll(lanes)).toEqual(['good']);
  });

  it('give a failing receiver fewer requests until it takes one again', () => {
    const lanes = createLanes(limits);
    fill(lanes, 'a', 40);
    for (let failures = 0; failures < 8; failures++) {
      lanes.take();
      lanes.finished('a', true);
    }
    expect(takeAll(lanes)).toHaveLength(2);
    lanes.finished('a', null);
    expect(takeAll(lanes)).toHaveLength(1);
    lanes.finished('a', false);
    expect(takeAll(lanes)).toHaveLength(3);
  });
});

describe('the queue', () => {
  it('gives values in the order they came, also from a long backlog', () => {
    const queue = createQueue<number>();
    const taken: (number | undefined)[] = [];
    for (let value = 0; value < 5_000; value++) {
      queue.push(value);
      if (value % 3 === 0) taken.push(queue.shift());
    }
    while (queue.size > 0) taken.push(queue.shift());
    expect(taken).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
    expect(queue.shift()).toBeUndefined();
  });
});
