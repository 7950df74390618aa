import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer as readStream } from 'node:stream/consumers';
import { AppError, systemErrorCode } from '../../src/errors.js';
import { askSecret } from '../../src/terminal/ask-secret.js';
import { secretValue } from '../../src/webhooks/subscription-file.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';

const variable = 'MSGSITE_WEBHOOK_SECRET';

/** How a command takes a signing secret. */
export const secretFlags: readonly OptionDefinition[] = [
  { flags: '--secret-file <file>', description: 'file with the signing secret (- = stdin)' },
  {
    flags: '--secret <secret>',
    description: `the secret, or env:NAME; others can see flags, so prefer ${variable}`,
  },
  { flags: '--ask-secret', description: 'ask for the secret at the terminal' },
];

/** The signing secret from file, flag, environment or prompt; undefined where none is given. */
export async function readSecret(
  context: CommandContext,
  { options }: CommandInput,
): Promise<string | undefined> {
  const { secretFile, secret, askSecret: ask } = options;
  if (typeof secretFile === 'string') {
    const text = await readInput(context, secretFile, '--secret-file');
    return text.replace(/\r?\n$/, '');
  }
  if (typeof secret === 'string') return secretValue(secret, context.env);
  if (ask === true) return promptForSecret(context);
  return context.env[variable] || undefined;
}

/** The secret, asked for where none is given; without a terminal that is a usage error. */
export async function requireSecret(context: CommandContext, input: CommandInput): Promise<string> {
  const secret = (await readSecret(context, input)) ?? (await promptForSecret(context));
  if (secret === '') throw new AppError('usage', 'The secret is empty.');
  return secret;
}

async function promptForSecret({ interactive, stdin, stderr, signal }: CommandContext) {
  if (interactive) return askSecret('Signing secret: ', { stdin, stderr, signal });
  throw new AppError('usage', 'The signing secret is missing.', {
    hint: `Give --secret-file, or set ${variable}.`,
  });
}

/** A file the user named, or with `-` standard input, as text. */
export async function readInput(
  context: CommandContext,
  file: string,
  flag: string,
): Promise<string> {
  return (await readBytes(context, file, flag)).toString('utf8');
}

/** The same as the bytes it holds. */
export async function readBytes(
  { cwd, stdin }: CommandContext,
  file: string,
  flag: string,
): Promise<Buffer> {
  try {
    return file === '-' ? await readStream(stdin) : await readFile(resolve(cwd, file));
  } catch (cause) {
    throw new AppError('unreadable_input', `${flag} ${file} cannot be read.`, {
      hint: `The system says ${systemErrorCode(cause) ?? 'no more'}.`,
      cause,
    });
  }
}
