import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { replaceFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { checkCollection, type Finding } from './data-checker.js';

/** A collection's records as they stand in its files, which stay untouched; `data_damaged` names a fault. */
export async function readCollection<T>(
  folder: string,
  name: string,
  keyOf: (record: T) => string | number,
): Promise<T[]> {
  const found = await checkCollection<T>(folder, name, keyOf, throwDamage);
  return [...found.values()].map(({ record }) => record);
}

/** Throws what a checker finds wrong; a line that a crash cut short is nothing wrong. */
export function throwDamage({ severity, file, line, message }: Finding): void {
  if (severity === 'note') return;
  const place = line === undefined ? file : `${file}, line ${line}`;
  throw new AppError('data_damaged', `${place}: ${message}`, {
    hint: 'Run msgsite data check to see every fault; restore the file from a backup or mend it.',
  });
}

/** Bytes of text written in one go. */
const chunkLength = 64 * 1024;

/** Writes a new collection, record by record, in the form in which it is folded. */
export async function writeCollection(
  folder: string,
  name: string,
  records: AsyncIterable<object>,
): Promise<void> {
  await replaceFile(join(folder, `${name}.json`), snapshotText(records), { files: systemFiles });
}

async function* snapshotText(records: AsyncIterable<object>): AsyncGenerator<string> {
  let text = '{\n"format": 1,\n"journal": 1,\n"records": [';
  let before = '\n';
  for await (const record of records) {
    text += before + JSON.stringify(record);
    before = ',\n';
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}\n]\n}\n`;
}
