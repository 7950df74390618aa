/** A value of a record; null is an empty field. */
export type CsvValue = string | number | null;

/** What a spreadsheet would run as a formula when text begins with it (OWASP: CSV injection). */
const formulaStart = /^[=+\-@\t\r]/;

/**
 * One record by RFC 4180, with its CRLF. Text that a spreadsheet would take for a formula gets an
 * apostrophe in front; numbers stay numbers. Pure.
 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
