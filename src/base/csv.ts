/** pure: records of CSV, and text in them that a spreadsheet would run. */

/** A value of a record; null is an empty field. */
export type CsvValue = string | number | null;

/**
 * Where a spreadsheet would begin a formula (OWASP: CSV injection): at the front, and behind what parts
 * cells where the file is opened with another separator than the comma, as Excel does in Russian and
 * Kazakh. The wide forms of the signs count in some languages. Apostrophes in front count along: what has one
 * already gets another one, so that taking one away gives the text back.
 */
const formulaStart =
  /^(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^(?='*[\t\r\n])|(?<=[;,\t\r\n])(?='*"*[=+\-@＝＋－＠])/g;
const quotedFormulaStart =
  /^'(?='*[^\S\t\r\n]*"*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])|(?<=[;,\t\r\n])'(?='*"*[=+\-@＝＋－＠])/g;

/**
 * One record by RFC 4180, with its CRLF. Text that a spreadsheet would take for a formula gets an
 * apostrophe in front; numbers stay numbers.
 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** The text that a cell of `csvRecord` stands for: without the apostrophes that keep a spreadsheet from running it. */
export function csvText(cell: string): string {
  return cell.replace(quotedFormulaStart, '');
}

function csvField(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(formulaStart, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
