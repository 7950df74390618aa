import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A process's change to a file or a name, as recorded by record-files.mjs. */
export type Operation = { readonly begin: number; readonly end: number } & (
  | { readonly op: 'open'; readonly path: string; readonly flags: string; readonly handle: string }
  | {
      readonly op: 'write';
      readonly handle: string;
      readonly position: number;
      readonly data: Uint8Array;
    }
  | { readonly op: 'truncate'; readonly handle: string; readonly length: number }
  | { readonly op: 'sync'; readonly handle: string }
  | { readonly op: 'rename' | 'link'; readonly from: string; readonly path: string }
  | { readonly op: 'unlink' | 'rmdir'; readonly path: string }
  | {
      readonly op: 'mkdir';
      readonly path: string;
      readonly recursive: boolean;
      /** The first folder that a recursive creation created. */
      readonly made?: string;
    }
  /** A recursive removal. The names of folders end with a slash. */
  | { readonly op: 'rm'; readonly path: string; readonly names: readonly string[] }
);

interface Line {
  readonly id: number;
  readonly op?: string;
  readonly begin?: number;
  readonly end?: number;
  readonly error?: string;
  readonly what?: string;
  readonly handle?: number;
  readonly data?: string;
  readonly done?: number;
}

/** Errors after which nothing has changed. */
const harmless = ['EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY'];

/**
 * Returns the operations of all processes in the order in which they ended. Unfinished operations are last and
 * end at infinity. Times are nanoseconds of the machine's monotonic clock.
 */
export async function readTraces(folder: string): Promise<Operation[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.trace'));
  const all = await Promise.all(names.map((name) => readTrace(join(folder, name), name)));
  return all.flat().sort((a, b) => a.end - b.end || a.begin - b.begin);
}

async function readTrace(path: string, name: string): Promise<Operation[]> {
  const begun = new Map<number, Line>();
  const operations: Operation[] = [];
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  for (const text of lines) {
    const line = JSON.parse(text) as Line;
    if (line.op === 'unrecorded')
      throw new Error(`${line.what} is not recorded. Extend record-files.mjs.`);
    const first = begun.get(line.id);
    if (!first) {
      begun.set(line.id, line);
      continue;
    }
    begun.delete(line.id);
    if (line.error === undefined) operations.push(operationOf({ ...first, ...line }, name));
    else if (!harmless.includes(line.error)) {
      throw new Error(`${first.op} failed while it was recorded: ${line.error}`);
    }
  }
  for (const line of begun.values()) {
    operations.push(operationOf({ ...line, end: Number.POSITIVE_INFINITY }, name));
  }
  return operations;
}

function operationOf({ id: _, data, done, handle, ...line }: Line, process: string): Operation {
  const bytes = data === undefined ? undefined : Buffer.from(data, 'base64').subarray(0, done);
  return {
    ...line,
    ...(bytes ? { data: bytes } : {}),
    ...(handle === undefined ? {} : { handle: `${process} ${handle}` }),
  } as Operation; // written by record-files.mjs
}
