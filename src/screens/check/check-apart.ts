import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { untilInterrupted } from '../../base/every.js';
import { packageFolder } from '../../base/package-files.js';
import { checkContent, type FileContent, largeFile, unchecked } from './check-file.js';
import type { FileReport } from './findings.js';
import type { Folding } from './folding.js';
import { helperFlag } from './helper-flag.js';

/** The file that helping threads and processes run: this one if it is the bundle of `validate-screen`. */
export const helperFile = import.meta.url.endsWith('.cjs')
  ? fileURLToPath(import.meta.url)
  : `${packageFolder}dist/validate-screen.cjs`;

/** Much is made and soon let go of; room for it spares the engine from clearing up all the time. */
const execArgv = ['--max-semi-space-size=64'];

/** Checks a file so that an interruption is heard at any time; undefined when it was. */
export async function checkInterruptibly(
  content: FileContent,
  signal: AbortSignal,
  folding?: Folding,
): Promise<FileReport | undefined> {
  if (content.bytes.length < largeFile) return checkContent(content, folding);
  return checkApart(content, signal);
}

/**
 * Checks a file in a process of its own; undefined when the signal ended it. A thread would not do: one
 * whose memory is being cleared up ends seconds after it is asked to.
 */
export async function checkApart(
  content: FileContent,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (!existsSync(helperFile)) return checkContent(content);
  // Loaded here, because that takes longer than checking a small file.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(helperFile, [helperFlag], {
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl+C is for this process alone: it ends the other one.
    detached: true,
  });
  try {
    return await untilInterrupted(signal, reportOf(child, content));
  } finally {
    child.kill('SIGKILL');
  }
}

/** The report that the process sends; where it breaks down, one that says why. */
function reportOf(child: ChildProcess, content: FileContent): Promise<FileReport> {
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve(unchecked(content.file, reason));
    child
      .once('message', (report: FileReport) => resolve(report))
      .once('error', ({ message }) => fail(message))
      .once('exit', (code) => {
        const end = (): void => fail(reasonOf(code));
        // What it has sent may still be on its way.
        if (child.connected) child.once('disconnect', end);
        else end();
      });
    // It fails where the process has ended: that says why.
    child.send(content, () => {});
  });
}

/** The engine ends itself (SIGABRT), or the system ends it (SIGKILL), where memory is used up. */
function reasonOf(exitCode: number | null): string {
  if (exitCode === null || exitCode === outOfMemory) return 'it needs more memory than there is';
  return `its process ended with exit code ${exitCode}`;
}

/** What Node.js ends with on Windows, or under a shell, where the engine ends itself. */
const outOfMemory = 134;
