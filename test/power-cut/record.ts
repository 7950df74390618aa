import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type BookPages, createBook, pagesUntil } from './book.js';
import { type DiskHistory, type FoundFolder, readHistory } from './disk-history.js';
import { listFolder, listFound, writeFolder } from './found-folder.js';
import { cutPower } from './power-cut.js';
import { createRandom } from './random.js';
import { type Operation, readTraces } from './trace.js';
import {
  beginWorkload,
  type Cast,
  runWorkload,
  startReceiver,
  type Workload,
  writeSubscription,
} from './workload.js';

/** A workload and all its disk operations. */
export interface Recording extends Workload {
  readonly operations: readonly Operation[];
  readonly history: DiskHistory;
  readonly webhooks: string;
  /** Stops the webhook receiver. */
  close(): Promise<void>;
}

interface StoredRecording {
  readonly pages: BookPages;
  readonly cast: Cast;
  readonly port: number;
  readonly data: string;
}

/** Runs and records the workload in a folder, or returns the recording of an earlier run there. */
export async function recordWorkload(folder: string, scale: number): Promise<Recording> {
  const data = join(folder, 'data');
  const traces = join(folder, 'traces');
  const webhooks = join(folder, 'webhooks.json');
  const file = join(folder, 'recording.json');
  const kept = existsSync(file)
    ? (JSON.parse(await readFile(file, 'utf8')) as StoredRecording)
    : undefined;
  const receiver = await startReceiver(kept?.port);
  try {
    if (!kept) await mkdir(traces, { recursive: true });
    await writeSubscription(webhooks, receiver.url);
    const { book, cast } = kept
      ? { book: createBook(kept.pages), cast: kept.cast }
      : beginWorkload();
    if (!kept) await runWorkload({ data, traces, webhooks }, scale, { book, cast });
    const operations = await readTraces(traces);
    const history = readHistory(operations, kept?.data ?? data);
    if (!kept) {
      expectWhole(history, data);
      const { port } = receiver;
      await writeFile(
        file,
        JSON.stringify({ pages: book.pages, cast, port, data } satisfies StoredRecording),
      );
    }
    return { book, cast, operations, history, webhooks, close: receiver.close };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

/** Starts a server on the state after a power cut and records it for the next cut. */
export async function recordNext(
  { book, cast, webhooks }: Recording,
  { state, at }: { readonly state: FoundFolder; readonly at: number },
  folder: string,
): Promise<Omit<Recording, 'close'>> {
  const data = join(folder, 'data');
  const traces = join(folder, 'traces');
  await mkdir(traces, { recursive: true });
  writeFolder(state, data);
  const next = { book: createBook(pagesUntil(book.pages, at)), cast: structuredClone(cast) };
  await runWorkload({ data, traces, webhooks }, 6, next, [3]);
  const operations = await readTraces(traces);
  const history = readHistory(operations, data, state);
  expectWhole(history, data);
  return { ...next, operations, history, webhooks };
}

/** Checks that the recording is complete by reproducing the folder from it. */
function expectWhole(history: DiskHistory, data: string): void {
  const whole = { at: Number.MAX_VALUE, names: 'cache', bytes: 'cache' } as const;
  const rebuilt = listFound(cutPower(history, whole, createRandom('')));
  const found = listFolder(data);
  expect([...rebuilt.keys()].sort()).toEqual([...found.keys()].sort());
  for (const [path, text] of found) expect(rebuilt.get(path) === text, path).toBe(true);
}
