import { describe, expect, it } from 'vitest';
import {
  formatProviderTime,
  parseProviderTime,
  providerDay,
} from '../../src/payments/zoned-time.js';

const at = (text: string) => Date.parse(text);

describe('parseProviderTime', () => {
  it.each([
    ['2026-11-21T07:00:00', 'Asia/Almaty', '2026-11-21T02:00:00Z'],
    ['2026-11-21T07:00:00.250', 'Asia/Almaty', '2026-11-21T02:00:00.250Z'],
    ['2026-11-21 07:00:00', 'Asia/Almaty', '2026-11-21T02:00:00Z'],
    ['2026-11-21T07:00', 'UTC', '2026-11-21T07:00:00Z'],
    ['2026-11-21', 'Asia/Almaty', '2026-11-20T19:00:00Z'],
    // Almaty used UTC+6 until 1 March 2024.
    ['2023-07-01T12:00:00', 'Asia/Almaty', '2023-07-01T06:00:00Z'],
    ['2026-07-01T12:00:00', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
    ['2026-12-01T12:00:00', 'Europe/Berlin', '2026-12-01T11:00:00Z'],
    // A zone in the text overrides the configured one.
    ['2026-11-21T07:00:00Z', 'Asia/Almaty', '2026-11-21T07:00:00Z'],
    ['2026-11-21T07:00:00+03:00', 'Asia/Almaty', '2026-11-21T04:00:00Z'],
    ['2026-11-21T07:00:00-0530', 'Asia/Almaty', '2026-11-21T12:30:00Z'],
  ])('parses %s in the zone %s as %s', (text, zone, instant) => {
    expect(parseProviderTime(text, zone)).toBe(at(instant));
  });

  it.each([['soon'], [''], ['2026-02-31T00:00:00'], ['2026-13-01'], ['21.11.2026 07:00']])(
    'returns undefined for "%s"',
    (text) => {
      expect(parseProviderTime(text, 'Asia/Almaty')).toBeUndefined();
    },
  );
});

describe('formatProviderTime', () => {
  it('formats the wall time in the zone without the zone', () => {
    expect(formatProviderTime(at('2026-11-21T02:00:00.123Z'), 'Asia/Almaty')).toBe(
      '2026-11-21T07:00:00.123',
    );
  });

  it('formats times that parseProviderTime parses again', () => {
    for (const zone of ['Asia/Almaty', 'UTC', 'Europe/Berlin', 'America/St_Johns']) {
      const instant = at('2026-06-15T23:59:59.999Z');
      expect(parseProviderTime(formatProviderTime(instant, zone), zone)).toBe(instant);
    }
  });

  it('is consistent with providerDay, the calendar day of the zone', () => {
    expect(providerDay(at('2026-11-20T20:00:00Z'), 'Asia/Almaty')).toBe('2026-11-21');
  });
});
