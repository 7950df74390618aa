import { decodeLine, encodeLine } from './lines.js';

/** Returns the content of a file that holds a single value: one line with its checksum. */
export function valueLine(value: object): string {
  return encodeLine(JSON.stringify(value));
}

/** Returns the value in such a file; undefined if the file is damaged. */
export function readValueLine(bytes: Buffer): unknown {
  if (bytes.indexOf(lineBreak) !== bytes.length - 1) return undefined;
  const json = decodeLine(bytes.subarray(0, -1));
  return json === undefined ? undefined : JSON.parse(json);
}

const lineBreak = 10;
