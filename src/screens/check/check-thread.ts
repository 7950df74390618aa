// A thread of its own, which checks batches of files until none is left and posts the reports of each;
// or a process of its own (`--apart`), which checks one large file and sends its report.
import { parentPort, workerData } from 'node:worker_threads';
import { checkContent, checkFile, checkUnlessLarge, type FileContent } from './check-file.js';
import type { DoneBatch, ThreadWork } from './check-on-threads.js';
import { openSharedWork } from './shared-work.js';

async function checkMany({ files, options, memory }: ThreadWork): Promise<void> {
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
