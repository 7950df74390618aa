import type { Readable, Writable } from 'node:stream';
import { render, Text } from 'ink';
import { AppError } from '../base/errors.js';
import { escapeForeign } from '../base/foreign-text.js';
import type { Colors } from './colors.js';
import { Prompt } from './Prompt.js';
import { inkStreams } from './streams.js';

export interface Terminal {
  readonly stdin: Readable;
  /** Where questions are asked. */
  readonly stderr: Writable;
  readonly signal: AbortSignal;
  readonly colors: Colors;
}

export interface Question {
  readonly label: string;
  readonly mask?: string;
  /** Why the answer before this one was not taken. */
  readonly fault?: string | undefined;
  /** What is wrong with an answer, in a sentence; undefined = nothing. It is then asked for again. */
  readonly check?: (answer: string) => string | undefined;
  /** How the answer stays on the screen; masked or as typed where absent. */
  readonly show?: (answer: string) => string;
}

/** Asks for a line at the terminal. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { stdin, stderr, signal, colors } = terminal;
  const { mask, check = () => undefined } = question;
  const { show = (answer) => mask?.repeat(answer.length) ?? answer } = question;
  // A provider's words may be part of question and fault.
  const label = escapeForeign(question.label);
  const escaped = (text: string | undefined) => (text === undefined ? text : escapeForeign(text));
  let fault = escaped(question.fault);
  const app = render(null, inkStreams(stdin, stderr));
  let attempt = 0;
  try {
    for (;;) {
      const answer = await new Promise<string | undefined>((resolve) => {
        const interrupt = () => resolve(undefined);
        signal.addEventListener('abort', interrupt, { once: true });
        if (signal.aborted) interrupt();
        const props = { label, fault, colors, onAnswer: resolve, onInterrupt: interrupt };
        app.rerender(<Prompt key={attempt++} {...props} {...(mask ? { mask } : {})} />);
      });
      if (answer === undefined) throw new AppError('interrupted', 'Interrupted.');
      fault = escaped(check(answer));
      if (fault !== undefined) continue;
      app.rerender(<Text>{`${colors.bold(label)} ${escapeForeign(show(answer))}`}</Text>);
      return answer;
    }
  } finally {
    app.unmount();
    await app.waitUntilExit();
  }
}

/** Asks a question that Enter or `y` answers with yes where `byDefault` is true, `y` alone otherwise. */
export async function confirm(
  terminal: Terminal,
  question: string,
  byDefault: boolean,
): Promise<boolean> {
  const answer = await ask(terminal, {
    label: `${question} ${byDefault ? '[Y/n]' : '[y/N]'}`,
    check: (text) => (/^(y|yes|n|no|)$/i.test(text) ? undefined : 'Answer y or n.'),
    show: (text) => (isYes(text, byDefault) ? 'yes' : 'no'),
  });
  return isYes(answer, byDefault);
}

function isYes(answer: string, byDefault: boolean): boolean {
  return answer === '' ? byDefault : /^y/i.test(answer);
}
