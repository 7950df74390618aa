import { escapeForeign } from '../base/foreign-text.js';
import type { Output } from './output.js';
import type { OutputStream } from './streams.js';

/** Replaces the text with a step and its progress. */
type SayProgress = (step: string, done: number) => void;

/** Milliseconds before a spinner appears. */
const patience = 300;

interface SpinnerTerminal {
  readonly stderr: OutputStream;
  readonly output: Pick<Output, 'plain'>;
}

/** Shows a spinner while `work` runs, if it takes a while and stderr is a terminal that supports drawing. */
export async function withSpinner<Result>(
  { stderr, output }: SpinnerTerminal,
  first: string,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  // On a terminal of unknown width (0 columns), ora would clear lines endlessly.
  if (output.plain || !stderr.isTTY || stderr.columns === 0) return work(() => {});
  let text = first;
  let isOver = false;
  let spinner: { text: string; stop(): unknown } | undefined;

  async function start(): Promise<void> {
    const { default: ora } = await import('ora');
    if (isOver) return;
    // ora requires a process stream, but uses only what this stream has.
    const stream = stderr as NodeJS.WriteStream;
    // Enabled by the command's environment instead of the process's. Ctrl+C must reach the program.
    const options = { stream, isEnabled: true, discardStdin: false, hideCursor: false };
    spinner = ora({ text, ...options }).start();
  }

  // A failure of the spinner must not affect the work.
  const timer = setTimeout(() => void start().catch(() => {}), patience);
  try {
    return await work((step, done) => {
      text = escapeForeign(`${step}: ${done.toLocaleString('en')}`);
      if (spinner) spinner.text = text;
    });
  } finally {
    isOver = true;
    clearTimeout(timer);
    spinner?.stop();
  }
}
