import { createInterface } from 'node:readline';
import { AppError } from '../base/errors.js';
import { escapeForeign } from '../base/foreign-text.js';
import { askSecret } from './ask-secret.js';
import type { Question, Terminal } from './question.js';

/** `ask` in lines: the terminal itself edits what is typed, and nothing is drawn again. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { label, mask, check = () => undefined } = question;
  const say = (text: string) => terminal.stderr.write(`${escapeForeign(text)}\n`);
  if (question.fault !== undefined) say(question.fault);
  for (;;) {
    const text = `${escapeForeign(label)} `;
    // What is masked elsewhere is not shown at all.
    const answer = await (mask === undefined
      ? readLine(text, terminal)
      : askSecret(text, terminal));
    const fault = check(answer.trim());
    if (fault === undefined) return answer.trim();
    say(fault);
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
