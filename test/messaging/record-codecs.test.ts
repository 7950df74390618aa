import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { messagingKinds } from '../../src/messaging/records.js';
import { fillJsonMessaging, readJsonMessaging } from '../../src/messaging/store-json/transfer.js';
import { fromInput, sendExport } from '../../src/transfer/export-file.js';
import { streamRecords } from '../../src/transfer/record-stream.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { header } from '../transfer/document.js';
import { samples, unsampled } from './record-samples.js';

const fixed = { kind: 'msgsite-export', format: 1, storage: 'json' } as const;

it.each(Object.keys(samples))(
  'the samples of %s records include every field, and omit every optional field at least once',
  (kind) => {
    expect(unsampled(kind)).toEqual([]);
  },
);

it('every optional field of a record is preserved in files, exports and imports', async () => {
  const folder = join(await makeTempFolder(), 'messaging');
  for (const { kind, write } of await fillJsonMessaging(folder)) {
    await write(Readable.from(samples[kind] ?? []));
  }

  const readers = readJsonMessaging(folder, 0);
  const output = new PassThrough();
  const content = buffer(output);
  await sendExport(
    output,
    streamRecords({ header: { ...header, ...fixed }, readers, kinds: messagingKinds }),
  );
  output.end();

  const found: Record<string, object[]> = {};
  await fromInput(Readable.from([await content]), { kinds: messagingKinds })(async (stream) => {
    for await (const { kind, record } of stream.entries) {
      found[kind] = [...(found[kind] ?? []), record];
    }
  });
  expect(found).toEqual(samples);
});
