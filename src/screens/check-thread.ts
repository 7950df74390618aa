// A thread of its own: checks batches of files until none is left, and posts the reports of each.
import { parentPort, workerData } from 'node:worker_threads';
import { openSharedWork } from './shared-work.js';
import { type CheckOptions, validateFile } from './validate-files.js';

interface ThreadData {
  readonly files: readonly string[];
  readonly options: CheckOptions;
  readonly memory: SharedArrayBuffer;
}

const { files, options, memory }: ThreadData = workerData;
const work = openSharedWork(files, memory);
for (let batch = work.waitToTake(); batch !== undefined; batch = work.waitToTake()) {
  const reports = [];
  for (const file of work.filesOf(batch)) {
    reports.push(await validateFile(file, options.cwd, options.lint));
  }
  parentPort?.postMessage({ batch, reports });
}
