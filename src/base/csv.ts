/** pure: writes CSV records with text that spreadsheets do not run as formulas. */

/** A value of a record; null is an empty field. */
export type CsvValue = string | number | null;

/**
 * Positions where a spreadsheet would start a formula (OWASP: CSV injection): at the start of a cell, and after
 * characters that separate cells if the file is opened with a separator other than the comma, as Excel does in Russian
 * and Kazakh. Some languages also accept the full-width signs. A second apostrophe is added to text that already starts
 * with one, so that removing one restores the text.
 */
const formulaStart =
  /^(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^(?='*[\t\r\n])|(?<=[;,\t\r\n])(?='*"*[=+\-@＝＋－＠])/g;
const quotedFormulaStart =
  /^'(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])|(?<=[;,\t\r\n])'(?='*"*[=+\-@＝＋－＠])/g;

/**
 * Returns a record in the format of RFC 4180, including its CRLF. Text that a spreadsheet would treat as a formula is
 * prefixed with an apostrophe. Numbers are not changed.
 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** Returns the original text of a cell that `csvRecord` wrote, without the apostrophes that prevent formulas. */
export function csvText(cell: string): string {
  return cell.replace(quotedFormulaStart, '');
}

function csvField(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(formulaStart, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
