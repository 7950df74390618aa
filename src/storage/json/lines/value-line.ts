import { decodeLine, encodeLine } from './lines.js';

/** The content of a file of a single value: one line with a checksum. */
export function valueLine(value: object): string {
  return encodeLine(JSON.stringify(value));
}

/**
 * The value that such a file holds, or one that an older msgsite wrote without a checksum (`isOlder`), which no
 * damage makes of ours: the checksum is no JSON. Undefined where it is neither.
 */
export function readValueLine(
  bytes: Buffer,
): { readonly value: unknown; readonly isOlder: boolean } | undefined {
  const isEnded = bytes.indexOf(lineBreak) === bytes.length - 1;
  const json = isEnded ? decodeLine(bytes.subarray(0, -1)) : undefined;
  try {
    return { value: JSON.parse(json ?? bytes.toString('utf8')), isOlder: json === undefined };
  } catch {
    return undefined;
  }
}

const lineBreak = 10;
