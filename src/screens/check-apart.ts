import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AppError } from '../errors.js';
import { packageFolder } from '../package-files.js';
import type { FileReport } from './findings.js';
import type { LintOptions } from './rules/lint.js';
import { validateBytes } from './validate-files.js';

/** Built beside the command line; sources use the built one, too. */
export const threadScript = `${packageFolder}dist/check-thread.js`;

/** A file that is checked apart, as it is sent to the other process. */
export interface FileApart {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly lint: LintOptions;
}

/** Much is made and soon let go of; room for it spares the engine from clearing up all the time. */
const execArgv = ['--max-semi-space-size=64'];

/**
 * Checks the bytes of a file in a process of its own; undefined when the signal ended it. A thread would
 * not do: one whose memory is being cleared up ends seconds after it is told to.
 */
export async function checkApart(
  asked: FileApart,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (!existsSync(threadScript)) {
    return validateBytes(asked.file, Buffer.from(asked.bytes), asked.lint);
  }
  const child = fork(threadScript, ['--apart'], {
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl+C is for this process alone: it ends the other one.
    detached: true,
  });
  let interrupt = (): void => {};
  try {
    return await new Promise<FileReport | undefined>((resolve, reject) => {
      interrupt = () => resolve(undefined);
      signal.addEventListener('abort', interrupt, { once: true });
      if (signal.aborted) interrupt();
      child
        .once('message', (report: FileReport) => resolve(report))
        .once('error', (cause) => reject(brokenDown(asked.file, cause.message)))
        .once('exit', () => reject(brokenDown(asked.file, 'it needs more memory than there is')));
      child.send(asked, (cause) => cause && reject(brokenDown(asked.file, cause.message)));
    });
  } finally {
    signal.removeEventListener('abort', interrupt);
    child.kill('SIGKILL');
  }
}

function brokenDown(file: string, reason: string): AppError {
  return new AppError('internal_error', `${file} cannot be checked: ${reason}.`);
}
