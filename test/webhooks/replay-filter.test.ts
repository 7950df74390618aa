import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../src/events/delivery.js';
import { matchesFilter, parseTime } from '../../src/webhooks/tools/replay-filter.js';
import { sampleEvent } from './samples.js';

const occurredAt = Date.parse('2026-11-21T02:00:00.000Z');
const subscription = { id: 'sub_1', displayUrl: 'http://a/' };
const delivery = createDelivery(sampleEvent({ occurredAt }), subscription, [0]);

describe('matchesFilter', () => {
  it.each([
    [{}, true],
    [{ failed: true }, false],
    [{ state: 'pending' }, true],
    [{ state: 'dropped' }, false],
    [{ event: 'payment.success' }, true],
    [{ event: 'payment.failed' }, false],
    [{ payment: '1001' }, true],
    [{ payment: '100' }, false],
    [{ url: 'http://a/' }, true],
    [{ url: 'http://b/' }, false],
    [{ ids: [delivery.id] }, true],
    [{ ids: [delivery.eventId] }, true],
    [{ ids: [] }, false],
    [{ since: occurredAt, until: occurredAt }, true],
    [{ since: occurredAt + 1 }, false],
    [{ until: occurredAt - 1 }, false],
  ] as const)('returns for the filter %j: %j', (filter, expected) => {
    expect(matchesFilter(delivery, filter)).toBe(expected);
  });
});

describe('parseTime', () => {
  const now = occurredAt;
  it.each([
    ['2h', now - 7_200_000],
    ['90s', now - 90_000],
    ['3d', now - 3 * 86_400_000],
    ['1w', now - 7 * 86_400_000],
    ['2026-11-20T23:00:00Z', Date.parse('2026-11-20T23:00:00Z')],
    ['2026-11-20T23:00+05:00', Date.parse('2026-11-20T18:00:00Z')],
    ['2026-11-20', new Date(2026, 10, 20).getTime()],
    ['2026-04-31', null],
    ['2026-13-01', null],
    ['yesterday', null],
    ['', null],
    ['12', null],
  ])('parses %j', (text, expected) => {
    expect(parseTime(text, now, 'start')).toBe(expected);
  });

  it('parses a date as the end of its day for an upper limit', () => {
    expect(parseTime('2026-11-20', now, 'end')).toBe(new Date(2026, 10, 21).getTime() - 1);
  });
});
