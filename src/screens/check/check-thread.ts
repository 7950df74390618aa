// A thread of its own, which checks batches of files until none is left and posts the reports of each;
// or a process of its own (`--apart`), which checks the bytes of one large file and sends its report.
import { parentPort, workerData } from 'node:worker_threads';
import type { FileApart } from './check-apart.js';
import { checkUnlessLarge } from './check-interruptibly.js';
import { openSharedWork } from './shared-work.js';
import { type CheckOptions, validateBytes } from './validate-files.js';

interface ManyFiles {
  readonly files: readonly string[];
  readonly options: CheckOptions;
  readonly memory: SharedArrayBuffer;
}

async function checkMany({ files, options, memory }: ManyFiles): Promise<void> {
  const work = openSharedWork(files, memory);
  for (let batch = work.waitToTake(); batch !== undefined; batch = work.waitToTake()) {
    const reports = [];
    for (const file of work.filesOf(batch)) reports.push(await checkUnlessLarge(file, options));
    parentPort?.postMessage({ batch, reports });
  }
}

if (process.argv.includes('--apart') && process.send) {
  process.once('message', async ({ file, bytes, lint }: FileApart) => {
    process.send?.(await validateBytes(file, bytes, lint));
  });
} else {
  await checkMany(workerData);
}
