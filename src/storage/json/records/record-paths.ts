import { createHash } from 'node:crypto';

/** Bytes of a record's file name: most file systems take 255, and ours get suffixes of up to 60. @internal */
const longestName = 180;

const suffix = '.jsonl';

/**
 * A file name for any id: letters, digits, `-` and `_` stay, the rest becomes %XX; what would be too
 * long is cut and told apart by a hash. Different ids never share a name.
 */
export function fileNameOf(id: string): string {
  const safe = /^[\w-]*$/.test(id) ? id : [...Buffer.from(id)].map(safeByte).join('');
  if (safe.length > 0 && safe.length <= longestName) return `${safe}${suffix}`;
  const hash = createHash('sha256').update(id).digest('hex');
  return `${safe.slice(0, 60)}%h${hash}${suffix}`;
}

function safeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[\w-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`;
}

/** The id that a file is named by; undefined where the name was cut, and only the content tells it. */
export function idOfName(name: string): string | undefined {
  return name.includes('%h') ? undefined : decodeURIComponent(idPart(name));
}

/** What stands for the id in a file's name. */
export function idPart(name: string): string {
  return name.slice(0, -suffix.length);
}

/** Whether a name in a folder is a record's. */
export function isRecordName(name: string): boolean {
  return name.endsWith(suffix);
}

/** The UTC day of a time in milliseconds, `2026-07-28`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether a folder's name is a day. */
export function isDay(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}
