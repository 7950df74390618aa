// A thread of its own: checks batches of files until none is left and posts the reports of each, or
// checks the bytes of one large file and posts its report.
import { parentPort, workerData } from 'node:worker_threads';
import type { LintOptions } from './rules/lint.js';
import { openSharedWork } from './shared-work.js';
import { type CheckOptions, validateBytes, validateFile } from './validate-files.js';

interface ManyFiles {
  readonly files: readonly string[];
  readonly options: CheckOptions;
  readonly memory: SharedArrayBuffer;
}

interface OneFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly lint: LintOptions;
}

const asked: ManyFiles | OneFile = workerData;
if ('bytes' in asked) {
  parentPort?.postMessage(await validateBytes(asked.file, asked.bytes, asked.lint));
} else {
  const { files, options, memory } = asked;
  const work = openSharedWork(files, memory);
  for (let batch = work.waitToTake(); batch !== undefined; batch = work.waitToTake()) {
    const reports = [];
    for (const file of work.filesOf(batch)) reports.push(await validateFile(file, options));
    parentPort?.postMessage({ batch, reports });
  }
}
