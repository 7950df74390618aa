import { escapeForeign } from '../base/foreign-text.js';
import type { OutputStream } from './streams.js';

/** Says what is being done and how far it has come, in place of the first text. */
type SayProgress = (step: string, done: number) => void;

/** Shows that something is being waited for while `work` runs; only where stderr is a terminal. */
export async function withSpinner<Result>(
  stderr: OutputStream,
  text: string,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  // On a terminal that does not know its width (0 columns) ora would clear lines without end.
  if (!stderr.isTTY || stderr.columns === 0) return work(() => {});
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
