/** `2026-11-21`, or with a time: `2026-11-21T07:06:08.123`, optionally ending in `Z` or `+05:00`. */
const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Milliseconds since the epoch of a provider's date-time. One without a zone is wall time in
 * `zone` (IANA name); one that names its own zone is taken at its word. Undefined when it is none.
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
  // Date.UTC rolls the 31st of February over into March; such a date is none.
  if (new Date(wall).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  return offset ? wall - offsetMilliseconds(offset) : fromWallTime(wall, zone);
}

/** The wall time of `zone` at an instant, without a zone: `2026-11-21T07:06:08.123`. */
export function formatProviderTime(instant: number, zone: string): string {
  return new Date(instant + zoneOffset(instant, zone)).toISOString().slice(0, -1);
}

/** The calendar day of `zone` at an instant: `2026-11-21`. */
export function providerDay(instant: number, zone: string): string {
  return formatProviderTime(instant, zone).slice(0, 10);
}

/** True for a day of the calendar written as `2026-11-21`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseProviderTime(text, 'UTC') !== undefined;
}

/** The offset depends on the instant, which depends on the offset: asking twice settles a change of clocks. */
function fromWallTime(wall: number, zone: string): number {
  const first = wall - zoneOffset(wall, zone);
  return wall - zoneOffset(first, zone);
}

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
function zoneOffset(instant: number, zone: string): number {
  return offsetMilliseconds(formatterOf(zone).format(instant));
}

/** Making a formatter takes longer than formatting a thousand times with it, and it never changes. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** A formatter of texts that end in the zone's offset: `11/21/2026, GMT+05:00`, or `GMT` alone. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** The offset in `+05:00`, `-0330`, or (long ago) `+05:07:48`; 0 where a text names none. */
function offsetMilliseconds(text: string): number {
  const offset = /([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!offset) return 0;
  const [, sign, hours, minutes, seconds = '0'] = offset;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * Number(`${sign}1000`);
}
