import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readFormat1 } from '../../src/app/format-1.js';
import { entryOf } from '../../src/transfer/record-stream.js';

const fixtures = fileURLToPath(new URL('../fixtures/format-1/', import.meta.url));

it.each(['stopped', 'killed'])(
  'a folder of format 1 that was %s gives the records that its own version exported',
  async (name) => {
    const text = gunzipSync(await readFile(`${fixtures}${name}.jsonl.gz`)).toString('utf8');
    const [header = '', ...lines] = text.trimEnd().split('\n');
    const found: string[] = [];
    for (const { kind, read } of readFormat1(
      `${fixtures}${name}`,
      Date.parse(JSON.parse(header).at),
    )) {
      for await (const record of read()) found.push(entryOf(kind, record).line);
    }
    // The last line counts what came before it.
    expect(found).toEqual(lines.slice(0, -1));
  },
);
