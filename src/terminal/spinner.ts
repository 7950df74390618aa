import type { Writable } from 'node:stream';
import { escapeForeign } from '../base/foreign-text.js';

type WaitingTerminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** On a terminal that does not know its width (0 columns) ora would clear lines without end. */
function canSpin({ isTTY, columns }: WaitingTerminal): boolean {
  return Boolean(isTTY) && columns !== 0;
}

/** Says what is being done and how far it has come, in place of the first text. */
type SayProgress = (step: string, done: number) => void;

/** Shows that something is being waited for while `work` runs; only where stderr is a terminal. */
export async function withSpinner<Result>(
  stderr: WaitingTerminal,
  text: string,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  if (!canSpin(stderr)) return work(() => {});
  const { default: ora } = await import('ora');
  // ora asks for the process's own stream but uses no more than this one has.
  const stream = stderr as NodeJS.WriteStream;
  // Ctrl+C has to reach the program, so stdin is left alone.
  const spinner = ora({ text, stream, discardStdin: false, hideCursor: false }).start();
  try {
    return await work((step, done) => {
      spinner.text = escapeForeign(`${step}: ${done.toLocaleString('en')}`);
    });
  } finally {
    spinner.stop();
  }
}

/** The same for work that begins with opening its storage. */
export function withProgress<Result>(
  stderr: WaitingTerminal,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  return withSpinner(stderr, 'Opening', work);
}
