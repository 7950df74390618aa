// A thread of its own, which checks batches of files until none is left and posts the reports of each;
// or a process of its own (`--apart`), which checks one large file and sends its report.
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { checkContent, checkFile, checkUnlessLarge, type FileContent } from './check-file.js';
import type { DoneBatch, ThreadWork } from './check-on-threads.js';
import { openSharedWork } from './shared-work.js';

/**
 * V8 11 (Node.js 20) sets out to optimise a function twelve times sooner than pays in a run of a second on
 * several threads: a fifth of the processor time went there. Later ones have a quick compiler before it.
 * It holds for all threads. Said here, when all code is loaded: V8 refuses what it has compiled before
 * under other settings, and this thread would have to compile Node.js and the checker again.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=800000');
}

async function checkMany({ files, options, memory }: ThreadWork): Promise<void> {
  optimiseLater();
  const work = openSharedWork(files, memory);
  const check = checkUnlessLarge(options);
  for (let batch = work.waitToTake(); batch !== undefined; batch = work.waitToTake()) {
    const reports = [];
    for (const file of work.filesOf(batch)) {
      reports.push(await checkFile(file, options, check));
    }
    parentPort?.postMessage({ batch, reports } satisfies DoneBatch);
  }
}

if (process.argv.includes('--apart') && process.send) {
  process.once('message', async (content: FileContent) => {
    process.send?.(await checkContent(content));
  });
} else {
  await checkMany(workerData);
}
