import type { Writable } from 'node:stream';

/** Shows that something is being waited for while `work` runs; only where stderr is a terminal. */
export async function withSpinner<Result>(
  stderr: Writable & { readonly isTTY?: boolean },
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!stderr.isTTY) return work();
  const { default: ora } = await import('ora');
  // ora asks for the process's own stream but uses no more than this one has.
  const stream = stderr as NodeJS.WriteStream;
  // Ctrl+C has to reach the program, so stdin is left alone.
  const spinner = ora({ text, stream, discardStdin: false, hideCursor: false }).start();
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}
