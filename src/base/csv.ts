/** pure: CSV records whose text a spreadsheet does not run as formulas. */

/** A value of a record; null is an empty field. */
export type CsvValue = string | number | null;

/**
 * Places where a spreadsheet would start a formula (OWASP: CSV injection): at the start of a cell, and after characters
 * that separate cells if the file is opened with another separator than the comma, as Excel does in Russian and Kazakh.
 * Some languages also accept the full-width signs. Text that already starts with an apostrophe gets another one, so that
 * removing one restores the text.
 */
const formulaStart =
  /^(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^(?='*[\t\r\n])|(?<=[;,\t\r\n])(?='*"*[=+\-@＝＋－＠])/g;
const quotedFormulaStart =
  /^'(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])|(?<=[;,\t\r\n])'(?='*"*[=+\-@＝＋－＠])/g;

/**
 * Returns a record as in RFC 4180, with its CRLF. Text that a spreadsheet would treat as a formula gets an apostrophe in
 * front; numbers stay numbers.
 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** Returns the original text of a cell of `csvRecord`, without the apostrophes that prevent formulas. */
export function csvText(cell: string): string {
  return cell.replace(quotedFormulaStart, '');
}

function csvField(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(formulaStart, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
