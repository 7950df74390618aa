import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  afterAttempt,
  createDelivery,
  type Delivery,
  failuresOf,
  hasFailed,
  nextAttemptNumber,
} from '../../src/events/delivery.js';
import { eventIdOf } from '../../src/events/event.js';
import { payloadOf } from '../../src/webhooks/delivering/request.js';
import { errorOf } from '../../src/webhooks/delivering/sender.js';
import { sampleEvent } from './samples.js';

/** The documented schedule. */
const contractDelays = [0, 5_000, 30_000];

const subscription = { id: 'sub_1', displayUrl: 'http://a.example/' };
const start = Date.parse('2026-11-21T02:00:00.000Z');
const fresh = createDelivery(sampleEvent({ occurredAt: start }), subscription, contractDelays);

function attempt(delivery: Delivery, changes: Partial<Attempt>): Attempt {
  return {
    number: nextAttemptNumber(delivery),
    at: delivery.nextAttemptAt ?? delivery.occurredAt,
    durationMs: 100,
    status: 500,
    error: 'HTTP 500',
    response: '',
    replay: false,
    ...changes,
  };
}

const success = { status: 200, error: null };

describe('the payload', () => {
  it('has every documented field and the time of sending', () => {
    const { occurredAt, ...facts } = sampleEvent();
    expect(JSON.parse(payloadOf({ eventId: 'evt_1', facts }, start + 1))).toEqual({
      ...facts,
      timestamp: '2026-11-21T02:00:00.001Z',
    });
    expect(Object.keys(JSON.parse(payloadOf({ eventId: 'evt_1', facts }, start)))).toHaveLength(11);
    expect(occurredAt).toBeTypeOf('number');
  });
});

describe('the IDs of deliveries and events', () => {
  it('are the same for the same payment and event, regardless of other fields', () => {
    const again = createDelivery(
      sampleEvent({ occurredAt: start + 99, statusDesc: 'other' }),
      subscription,
      contractDelays,
    );
    expect([again.id, again.eventId]).toEqual([fresh.id, fresh.eventId]);
  });

  it('differ by payment, kind, event and subscription', () => {
    const base = { type: 'qr', paymentId: '1', event: 'payment.success' } as const;
    const ids = [
      eventIdOf(base),
      eventIdOf({ ...base, type: 'invoice' }),
      eventIdOf({ ...base, paymentId: '2' }),
      eventIdOf({ ...base, event: 'payment.failed' }),
    ];
    expect(new Set(ids).size).toBe(4);
    const other = createDelivery(sampleEvent(), { ...subscription, id: 'sub_2' }, contractDelays);
    expect(other.eventId).toBe(fresh.eventId);
    expect(other.id).not.toBe(fresh.id);
  });
});

describe('afterAttempt', () => {
  it('schedules attempts 0, 5 and 30 s after the end of the previous one, then drops the delivery', () => {
    const one = afterAttempt(fresh, attempt(fresh, {}), contractDelays);
    expect(one).toMatchObject({ state: 'pending', nextAttemptAt: '2026-11-21T02:00:05.100Z' });
    const two = afterAttempt(one, attempt(one, {}), contractDelays);
    expect(two).toMatchObject({ state: 'pending', nextAttemptAt: '2026-11-21T02:00:35.200Z' });
    const three = afterAttempt(two, attempt(two, {}), contractDelays);
    expect(three).toMatchObject({
      state: 'dropped',
      nextAttemptAt: null,
      endedAt: '2026-11-21T02:00:35.300Z',
    });
    expect(three.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect([fresh, one, two, three].map(hasFailed)).toEqual([false, true, true, true]);
  });

  it('marks a delivery as delivered after the first success', () => {
    const done = afterAttempt(fresh, attempt(fresh, success), contractDelays);
    expect(done).toMatchObject({ state: 'delivered', nextAttemptAt: null });
    expect(hasFailed(done)).toBe(false);
  });

  it('does not change the state or the number of failures after a failed replay', () => {
    const one = afterAttempt(fresh, attempt(fresh, {}), contractDelays);
    const replayed = afterAttempt(one, attempt(one, { replay: true }), contractDelays);
    expect(replayed).toMatchObject({ state: 'pending', nextAttemptAt: one.nextAttemptAt });
    expect(failuresOf(replayed)).toBe(1);
    expect(nextAttemptNumber(replayed)).toBe(3);
  });

  it('marks a dropped delivery as delivered after a successful replay, even if a later replay fails', () => {
    const dropped = { ...fresh, state: 'dropped', nextAttemptAt: null } as const;
    const done = afterAttempt(
      dropped,
      attempt(dropped, { ...success, at: dropped.occurredAt, replay: true }),
      [0],
    );
    expect(done.state).toBe('delivered');
    const again = afterAttempt(done, attempt(done, { replay: true }), [0]);
    expect(again).toMatchObject({ state: 'delivered', endedAt: done.endedAt });
  });

  it('removes old replays but never scheduled attempts', () => {
    let delivery = afterAttempt(fresh, attempt(fresh, {}), contractDelays);
    for (let replays = 0; replays < 150; replays++) {
      delivery = afterAttempt(delivery, attempt(delivery, { replay: true }), contractDelays);
    }
    expect(delivery.attempts).toHaveLength(100);
    expect(failuresOf(delivery)).toBe(1);
    expect(nextAttemptNumber(delivery)).toBe(152);
  });
});

describe('errorOf', () => {
  it.each([
    [200, null],
    [204, null],
    [299, null],
    [199, 'HTTP 199'],
    [301, 'HTTP 301: redirects are not followed'],
    [308, 'HTTP 308: redirects are not followed'],
    [404, 'HTTP 404'],
    [410, 'HTTP 410'],
    [500, 'HTTP 500'],
  ])('returns for status %i the error %j', (status, failure) => {
    expect(errorOf({ status, failure: null })).toBe(failure);
  });

  it('returns the connection failure even after a successful status', () => {
    expect(errorOf({ status: 200, failure: 'connection reset' })).toBe('connection reset');
  });
});
