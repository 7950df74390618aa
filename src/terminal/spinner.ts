import { escapeForeign } from '../base/foreign-text.js';
import type { Output } from './output.js';
import type { OutputStream } from './streams.js';

/** Shows a step and its progress. */
type ShowProgress = (step: string, done: number) => void;

/** Delay before a spinner appears, in milliseconds. */
const delay = 300;

interface SpinnerTerminal {
  readonly stderr: OutputStream;
  readonly output: Pick<Output, 'plain'>;
}

/** Shows a spinner while `work` runs, after a short delay and only if stderr is a terminal that supports drawing. */
export async function withSpinner<Result>(
  { stderr, output }: SpinnerTerminal,
  first: string,
  work: (show: ShowProgress) => Promise<Result>,
): Promise<Result> {
  // On a terminal of unknown width (0 columns), ora would clear lines endlessly.
  if (output.plain || !stderr.isTTY || stderr.columns === 0) return work(() => {});
  let text = first;
  let hasEnded = false;
  let spinner: { text: string; stop(): unknown } | undefined;

  async function start(): Promise<void> {
    const { default: ora } = await import('ora');
    if (hasEnded) return;
    // ora is typed for process streams, but uses only properties that this stream has.
    const stream = stderr as NodeJS.WriteStream;
    // By default, ora reads the process's environment and discards input. Ctrl+C must reach the program.
    const options = { stream, isEnabled: true, discardStdin: false, hideCursor: false };
    spinner = ora({ text, ...options }).start();
  }

  // A failure of the spinner must not affect the work.
  const timer = setTimeout(() => void start().catch(() => {}), delay);
  try {
    return await work((step, done) => {
      text = escapeForeign(`${step}: ${done.toLocaleString('en')}`);
      if (spinner) spinner.text = text;
    });
  } finally {
    hasEnded = true;
    clearTimeout(timer);
    spinner?.stop();
  }
}
