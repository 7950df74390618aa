import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../base/errors.js';
import type { Terminal } from './question.js';

/** Maximum length of a typed secret, in characters. */
const maxSecretLength = 10_000;

/** Asks for a secret without showing it. Throws `interrupted` on Ctrl+C or if the input is closed. */
export function askSecret(
  question: string,
  { stdin, stderr, signal }: Omit<Terminal, 'colors' | 'plain'>,
): Promise<string> {
  // readline echoes into this output, which discards everything.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AppError('interrupted', 'Interrupted.'));
    lines.on('line', resolve);
    stdin.on('keypress', () => {
      if (lines.line.length > maxSecretLength) reject(tooLong());
    });
    lines.on('SIGINT', stop);
    lines.on('close', stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    stderr.write(question);
  }).finally(() => {
    lines.close();
    stderr.write('\n');
  }) as Promise<string>; // readline passes a string to listeners of 'line'.
}

function tooLong(): AppError {
  return new AppError('usage', `The secret is longer than ${maxSecretLength} characters.`);
}
