import type { Readable, Writable } from 'node:stream';
import type { Colors } from './colors.js';

export interface Terminal {
  readonly stdin: Readable;
  /** Where questions are asked. */
  readonly stderr: Writable;
  readonly signal: AbortSignal;
  readonly colors: Colors;
  /** Whether questions and answers are lines: nothing is drawn again, for screen readers and terminals that cannot. */
  readonly plain: boolean;
}

export interface Question {
  readonly label: string;
  readonly mask?: string;
  /** Why the answer before this one was not taken. */
  readonly fault?: string | undefined;
  /** What is wrong with an answer, in a sentence; undefined = nothing. It is then asked for again. */
  readonly check?: (answer: string) => string | undefined;
  /** How the answer stays on the screen; masked or as typed where absent. Not in lines, which stay as typed. */
  readonly show?: (answer: string) => string;
  /** What an empty answer stands for. */
  readonly initial?: string;
}

/** Asks for a line at the terminal. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { initial } = question;
  const asked = initial === undefined ? question : withInitial(question, initial);
  const how = terminal.plain ? import('./ask-line.js') : import('./ask.js');
  return (await (await how).ask(terminal, asked)) || (initial ?? '');
}

function withInitial(question: Question, initial: string): Question {
  const { label, check, show = (answer) => answer } = question;
  return {
    ...question,
    label: label.replace(/:$/, ` [${initial}]:`),
    ...(check ? { check: (answer) => check(answer || initial) } : {}),
    show: (answer) => show(answer || initial),
  };
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
