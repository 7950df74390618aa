import { crc32c } from './checksum.js';

/**
 * How everything stands in the files of a data folder: one JSON text a line, a tab, and the CRC-32C of
 * the text's bytes in eight hexadecimal digits. JSON texts hold neither tabs nor line breaks of their own.
 */
export function encodeLine(json: string): string {
  return `${json}\t${checksumOf(Buffer.from(json))}\n`;
}

/** A tab and eight digits. */
const suffixLength = 9;
const tab = 9;

/** The JSON text of a line (without its line break); undefined where its checksum does not fit. */
export function decodeLine(line: Buffer): string | undefined {
  const end = line.length - suffixLength;
  if (end < 0 || line[end] !== tab) return undefined;
  const text = line.subarray(0, end);
  const isWhole = line.toString('latin1', end + 1) === checksumOf(text);
  return isWhole ? text.toString('utf8') : undefined;
}

function checksumOf(bytes: Uint8Array): string {
  return crc32c(bytes).toString(16).padStart(8, '0');
}
