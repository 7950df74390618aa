import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { untilInterrupted } from '../../base/interruption.js';
import { packageFolder } from '../../base/package-files.js';
import { checkContent, type FileContent, unchecked } from './check-file.js';
import type { FileReport } from './findings.js';

/** Built beside the command line; sources use the built one, too. */
export const threadScript = `${packageFolder}dist/check-thread.js`;

/** Much is made and soon let go of; room for it spares the engine from clearing up all the time. */
const execArgv = ['--max-semi-space-size=64'];

/**
 * Checks a file in a process of its own; undefined when the signal ended it. A thread would not do: one
 * whose memory is being cleared up ends seconds after it is asked to.
 */
export async function checkApart(
  content: FileContent,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (!existsSync(threadScript)) return checkContent(content);
  const child = fork(threadScript, ['--apart'], {
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
