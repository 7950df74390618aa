// Formats times and days with Intl, in the user's language.

/**
 * The names of days and months, for browsers whose Intl does not support the language.
 *
 * @typedef {object} DateNames
 * @property {readonly string[]} weekdays beginning with Sunday
 * @property {readonly string[]} months
 * @property {readonly string[]} shortMonths
 */
/** @typedef {(date: Date) => string} Format */

/** The substitute for an unsupported locale. It formats numbers and times in the same way. */
const substitute = 'ru-KZ';

/**
 * @param {string} locale
 * @param {DateNames} [names]
 */
export function createDates(locale, names) {
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0;
  const known = isKnown || !names ? locale : substitute;
  /** @param {Intl.DateTimeFormatOptions} options @returns {Format} */
  const by = (options) => {
    const formatter = new Intl.DateTimeFormat(known, options);
    return (date) => formatter.format(date);
  };
  const clock = by({ hour: '2-digit', minute: '2-digit' });
  const digits = by({ day: '2-digit', month: '2-digit', year: '2-digit' });
  const numbers = new Intl.NumberFormat(known);
  const days = isKnown || !names ? daysByIntl(by) : daysByNames(names, clock);
  /** @param {number} value */
  const number = (value) => numbers.format(value);
  return { clock, digits, number, ...days };
}

/** @param {(options: Intl.DateTimeFormatOptions) => Format} by */
function daysByIntl(by) {
  return {
    shortDay: by({ day: 'numeric', month: 'short' }),
    longDay: by({ weekday: 'long', day: 'numeric', month: 'long' }),
    farDay: by({ day: 'numeric', month: 'long', year: 'numeric' }),
    whole: by({ dateStyle: 'long', timeStyle: 'short' }),
  };
}

/** @param {DateNames} names @param {Format} clock */
function daysByNames({ weekdays, months, shortMonths }, clock) {
  /** @param {Date} date */
  const month = (date) => months[date.getMonth()] ?? '';
  /** @param {Date} date */
  const farDay = (date) => `${date.getFullYear()} ж. ${date.getDate()} ${month(date)}`;
  return {
    /** @param {Date} date */
    shortDay: (date) => `${date.getDate()} ${shortMonths[date.getMonth()] ?? ''}`,
    /** @param {Date} date */
    longDay: (date) => `${date.getDate()} ${month(date)}, ${weekdays[date.getDay()] ?? ''}`,
    farDay,
    /** @param {Date} date */
    whole: (date) => `${farDay(date)}, ${clock(date)}`,
  };
}
