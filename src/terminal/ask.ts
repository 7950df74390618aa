import { createInterface } from 'node:readline';
import { AppError } from '../base/errors.js';
import { escapeForeign } from '../base/foreign-text.js';
import { askSecret } from './ask-secret.js';
import type { Question, Terminal } from './question.js';

/** Asks a question at the terminal and returns the answer. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { initial } = question;
  const prompt = terminal.plain ? askInLines : (await import('./painted.js')).ask;
  const shown = initial === undefined ? question : withInitial(question, initial);
  return (await prompt(terminal, shown)) || (initial ?? '');
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

/** Asks a yes-no question. Enter selects `byDefault`. */
export async function confirm(
  terminal: Terminal,
  question: string,
  byDefault: boolean,
): Promise<boolean> {
  const answer = await ask(terminal, {
    label: `${question} ${byDefault ? '[Y/n]' : '[y/N]'}`,
    check: (text) => (/^(y|yes|n|no|)$/i.test(text) ? undefined : 'Enter y or n.'),
    show: (text) => (isYes(text, byDefault) ? 'yes' : 'no'),
  });
  return isYes(answer, byDefault);
}

function isYes(answer: string, byDefault: boolean): boolean {
  return answer === '' ? byDefault : /^y/i.test(answer);
}

/** Asks a question in plain mode, in which the terminal provides line editing. */
async function askInLines(terminal: Terminal, question: Question): Promise<string> {
  const { label, mask, check = () => undefined } = question;
  const print = (text: string) => terminal.stderr.write(`${escapeForeign(text)}\n`);
  if (question.fault !== undefined) print(question.fault);
  for (;;) {
    const text = `${escapeForeign(label)} `;
    // In plain mode, a masked answer is not shown at all.
    const answer = await (mask === undefined
      ? readLine(text, terminal)
      : askSecret(text, terminal));
    const fault = check(answer.trim());
    if (fault === undefined) return answer.trim();
    print(fault);
  }
}

async function readLine(
  text: string,
  { stdin, stderr, signal }: Omit<Terminal, 'colors'>,
): Promise<string> {
  const lines = createInterface({ input: stdin, terminal: false });
  let stop = () => {};
  try {
    return await new Promise<string>((resolve, reject) => {
      stop = () => reject(new AppError('interrupted', 'Interrupted.'));
      lines.on('line', resolve);
      lines.on('close', stop);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      stderr.write(text);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
