import type { Writable } from 'node:stream';
import { escapeForeign } from '../base/foreign-text.js';

type WaitingTerminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** On a terminal that does not know its width (0 columns) ora would clear lines without end. */
function canSpin({ isTTY, columns }: WaitingTerminal): boolean {
  return Boolean(isTTY) && columns !== 0;
}

/** Says what is being done and how far it has come. */
export type SayProgress = (step: string, done: number) => void;

/** Like `withSpinner`, for work that tells how far it has come. */
export async function withProgress<Result>(
  stderr: WaitingTerminal,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  if (!canSpin(stderr)) return work(() => {});
  const spinner = await startSpinner(stderr, 'Opening');
  try {
    return await work((step, done) => {
      spinner.text = escapeForeign(`${step}: ${done.toLocaleString('en')}`);
    });
  } finally {
    spinner.stop();
  }
}

/** Shows that something is being waited for while `work` runs; only where stderr is a terminal. */
export async function withSpinner<Result>(
  stderr: WaitingTerminal,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!canSpin(stderr)) return work();
  const spinner = await startSpinner(stderr, text);
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}

async function startSpinner(stderr: Writable, text: string) {
  const { default: ora } = await import('ora');
  // ora asks for the process's own stream but uses no more than this one has.
  const stream = stderr as NodeJS.WriteStream;
  // Ctrl+C has to reach the program, so stdin is left alone.
  return ora({ text, stream, discardStdin: false, hideCursor: false }).start();
}
