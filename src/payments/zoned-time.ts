/** `2026-11-21`, or with a time: `2026-11-21T07:06:08.123`, optionally ending in `Z` or `+05:00`. */
const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses a provider's date-time to milliseconds since the epoch. `zone` (IANA name) applies if the text has no offset.
 * Returns undefined if the text is not a valid date-time.
 */
export function parseProviderTime(text: string, zone: string): number | undefined {
  const match = dateTime.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = match;
  const milliseconds = Math.trunc(Number(`0.${fraction || '0'}`) * 1000);
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  // Date.UTC turns 31 February into a day of March.
  if (new Date(wall).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  return offset ? wall - offsetMilliseconds(offset) : fromWallTime(wall, zone);
}

/** Returns the wall time of `zone` at an instant, without an offset: `2026-11-21T07:06:08.123`. */
export function formatProviderTime(instant: number, zone: string): string {
  return new Date(instant + zoneOffset(instant, zone)).toISOString().slice(0, -1);
}

/** Returns the day of `zone` at an instant: `2026-11-21`. */
export function providerDay(instant: number, zone: string): string {
  return formatProviderTime(instant, zone).slice(0, 10);
}

/** Returns true for a valid day in the form `2026-11-21`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseProviderTime(text, 'UTC') !== undefined;
}

/** Returns the instant of a wall time. The second step corrects the offset near a daylight saving change. */
function fromWallTime(wall: number, zone: string): number {
  const first = wall - zoneOffset(wall, zone);
  return wall - zoneOffset(first, zone);
}

/** Returns the zone's offset from UTC at an instant, in milliseconds. */
function zoneOffset(instant: number, zone: string): number {
  return offsetMilliseconds(formatterOf(zone).format(instant));
}

/** Cached because creating a formatter takes longer than a thousand uses of it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter whose texts end in the zone's offset: `11/21/2026, GMT+05:00`, or only `GMT`. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Parses an offset such as `+05:00`, `-0330` or the historical `+05:07:48`. Returns 0 for a text without one. */
function offsetMilliseconds(text: string): number {
  const offset = /([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!offset) return 0;
  const [, sign, hours, minutes, seconds = '0'] = offset;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * Number(`${sign}1000`);
}
