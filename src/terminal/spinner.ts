import { escapeForeign } from '../base/foreign-text.js';
import type { Output } from './output.js';
import type { OutputStream } from './streams.js';

/** Says what is being done and how far it has come, in place of the first text. */
type SayProgress = (step: string, done: number) => void;

/** Milliseconds that may pass in silence: what takes less needs no spinner, which takes a while to load itself. */
const patience = 300;

interface SpinnerTerminal {
  readonly stderr: OutputStream;
  readonly output: Pick<Output, 'plain'>;
}

/**
 * Shows that something is being waited for while a longer `work` runs; only where stderr is a terminal that is drawn on.
 */
export async function withSpinner<Result>(
  { stderr, output }: SpinnerTerminal,
  text: string,
  work: (say: SayProgress) => Promise<Result>,
): Promise<Result> {
  // On a terminal that does not know its width (0 columns) ora would clear lines without end.
  if (output.plain || !stderr.isTTY || stderr.columns === 0) return work(() => {});
  const spinner = createSpinner(stderr, text);
  // What is waited for does not depend on what is shown meanwhile.
  const timer = setTimeout(() => void spinner.start().catch(() => {}), patience);
  try {
    return await work((step, done) => {
      spinner.say(escapeForeign(`${step}: ${done.toLocaleString('en')}`));
    });
  } finally {
    clearTimeout(timer);
    spinner.stop();
  }
}

function createSpinner(stderr: OutputStream, first: string) {
  let text = first;
  let isOver = false;
  let shown: { text: string; stop(): unknown } | undefined;
  return {
    async start() {
      const { default: ora } = await import('ora');
      if (isOver) return;
      // ora asks for the process's own stream but uses no more than this one has.
      const stream = stderr as NodeJS.WriteStream;
      shown = ora({
        text,
        stream,
        // Whether a terminal is drawn on is decided above; ora would ask this process's environment.
        isEnabled: true,
        // Ctrl+C has to reach the program, so stdin is left alone.
        discardStdin: false,
        hideCursor: false,
      }).start();
    },
    say(progress: string) {
      text = progress;
      if (shown) shown.text = text;
    },
    stop() {
      isOver = true;
      shown?.stop();
    },
  };
}
