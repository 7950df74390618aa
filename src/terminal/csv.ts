/** A value of a record; null is an empty field. */
export type CsvValue = string | number | null;

/**
 * Where a spreadsheet would begin a formula (OWASP: CSV injection): at the front, and behind what parts
 * cells where the file is opened with another separator than the comma, as Excel does in Russian and
 * Kazakh. The wide forms of the signs count in some languages.
 */
const formulaStart =
  /^(?=\s*"*[=+\-@＝＋－＠])|^(?=[\t\r\n])|(?<=[;,\t\r\n])(?="*[=+\-@＝＋－＠])/g;

/**
 * One record by RFC 4180, with its CRLF. Text that a spreadsheet would take for a formula gets an
 * apostrophe in front; numbers stay numbers.
 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(formulaStart, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
