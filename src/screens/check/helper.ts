import {
  type CheckOptions,
  checkContent,
  checkFile,
  checkUnlessLarge,
  type FileContent,
} from './check-file.js';
import type { Batch, DoneBatch } from './check-on-threads.js';

/**
 * Does the work of a helper: a thread checks the batches of files that it is sent, and posts the reports of each; a
 * process checks one large file and sends its report.
 */
export async function helpParent(): Promise<void> {
  const { isMainThread, parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  if (isMainThread) {
    process.once('message', async (content: FileContent) => {
      process.send?.(await checkContent(content));
    });
    return;
  }
  optimiseLater();
  const options: CheckOptions = workerData;
  const check = checkUnlessLarge(options);
  parentPort?.on('message', async ({ batch, files }: Batch) => {
    const reports = [];
    for (const file of files) reports.push(await checkFile(file, options, check));
    parentPort.postMessage({ batch, reports } satisfies DoneBatch);
  });
}

/**
 * Makes V8 11 (Node.js 20) optimize functions later. It sets out to optimize a function twelve times sooner than pays
 * in a run of a second on several threads: a fifth of the processor time went there. Later versions have a quick
 * compiler before it. The flag holds for all threads, and is set once all code is loaded: V8 refuses what it has compiled
 * under other flags, and this thread would have to compile Node.js and the checker again.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.'))
    process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=800000');
}
