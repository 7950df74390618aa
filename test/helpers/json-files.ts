import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { crc32c } from '../../src/storage/json/lines/checksum.js';

/** Files without a checksum: the mark of the format, and the processes that use the folder. */
const withoutChecksum = /(^|\/)(format\.json|watcher\.json|owners\/[^/]+\.json)$/;

/**
 * Verifies that every `.json` file and every line of a `.jsonl` file in a data folder is one JSON object whose last
 * member is its checksum. Returns the names of the files.
 */
export async function verifyJsonFiles(data: string): Promise<readonly string[]> {
  const names = (await readdir(data, { recursive: true })).filter(
    (name) => /\.jsonl?$/.test(name) && !name.startsWith('damaged/'),
  );
  for (const name of names) {
    const text = await readFile(join(data, name), 'utf8');
    const lines = name.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text.trimEnd()];
    for (const [index, line] of lines.entries()) {
      const location = `${name}:${index + 1}`;
      const value: Record<string, unknown> = JSON.parse(line);
      if (withoutChecksum.test(name)) continue;
      expect(Object.keys(value).at(-1), location).toBe('crc');
      const before = Buffer.from(line.slice(0, line.lastIndexOf(',"crc"')));
      expect(value.crc, location).toBe(crc32c(before).toString(16).padStart(8, '0'));
    }
  }
  return names;
}
