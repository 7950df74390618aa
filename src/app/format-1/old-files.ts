import { basename, join } from 'node:path';
import type { AppError } from '../../base/errors.js';
import { listFolder, readBytes } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { parseJsonText } from '../../json/parse-text.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { bytesOf, readFileLines } from '../../storage/json/lines/lines.js';
import { isDay, isRecordName } from '../../storage/json/records/record-paths.js';

/** Called with the damaged bytes of a file, which are then left out; it throws where they must not be. */
export type OldDamage = (error: AppError, path: string, bytes: Buffer) => Promise<void>;

export const throwIt: OldDamage = (error) => Promise.reject(error);

export interface KeptRecord<T> {
  readonly id: string;
  readonly revision: number;
  readonly record: T;
}

/** The records of some states, one after the other: by day where it was kept so, then by id. */
export async function* readStates<T extends object>(
  on: OldDamage,
  folder: string,
  states: readonly string[],
  wanted: readonly string[] = states,
): AsyncGenerator<KeptRecord<T> & { readonly state: string }> {
  for (const state of wanted) {
    for (const path of await pathsIn(join(folder, state))) {
      const name = basename(path);
      // A process that died while it moved a record has left two files.
      const others = states.flatMap((each) => [
        join(folder, each, name),
        join(folder, each, 'by-id', name),
      ]);
      const read = async (each: string) => (await readJson(on, each)) as KeptRecord<T> | undefined;
      const [file, ...more] = await Promise.all([path, ...others].map(read));
      if (file && more.every((other) => !other || other.revision <= file.revision)) {
        yield { ...file, state };
      }
    }
  }
}

/** The files of records in a folder and in those of its days, rising. */
export async function pathsIn(folder: string): Promise<string[]> {
  const days = (await listFolder(systemFiles, folder)).filter(isDay);
  const found = [folder, ...days.map((day) => join(folder, day))].map(async (place) => {
    const names = await listFolder(systemFiles, place);
    return names.filter(isRecordName).map((name) => join(place, name));
  });
  return (await Promise.all(found)).flat();
}

/** What a JSON file holds; undefined where there is none. */
export async function readJson(on: OldDamage, path: string): Promise<unknown> {
  const bytes = await readBytes(systemFiles, path);
  return bytes && parse(on, path, path, bytes);
}

/** The values of the whole lines of a file; none where there is none. */
export async function* readLines<T>(on: OldDamage, path: string | undefined): AsyncGenerator<T> {
  if (path === undefined) return;
  for await (const some of readFileLines(systemFiles, path)) {
    for (const line of some) {
      // Without checksums every line is "damaged"; one without its line break was never acknowledged.
      const bytes = bytesOf(line);
      if (line.end - line.start === bytes.length) return;
      const value = await parse(on, path, `${path}, line ${line.number}`, bytes);
      // Only this program wrote here, and only a T.
      if (value !== undefined) yield value as T;
    }
  }
}

/** What a text says; undefined where it is damaged, which has been told of. */
async function parse(on: OldDamage, path: string, place: string, bytes: Buffer): Promise<unknown> {
  try {
    return parseJsonText(bytes.toString('utf8'), place);
  } catch (error) {
    await on(asDamage(error), path, bytes);
    return undefined;
  }
}
