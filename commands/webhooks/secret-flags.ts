import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import {
  defaultInputBytes,
  readInputStream,
  readRegularFile,
  UnreadableInput,
  unreadable,
} from '../../src/base/files/input-file.js';
import { askSecret } from '../../src/terminal/ask-secret.js';
import { secretValue } from '../../src/webhooks/subscriptions/subscription-file.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';

const variable = 'MSGSITE_WEBHOOK_SECRET';

/** Bytes of a signing secret: far more than any has. */
const mostSecretBytes = 64 * 1024;

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
    const named = { flag: '--secret-file', mostBytes: mostSecretBytes };
    const text = (await readInput(context, secretFile, named)).toString('utf8');
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

interface NamedInput {
  /** The flag that named it, for messages. */
  readonly flag: string;
  /** 20 MB by default. */
  readonly mostBytes?: number;
}

/** The bytes of a file that the user named, or with `-` of standard input. */
export async function readInput(
  { cwd, stdin }: CommandContext,
  file: string,
  { flag, mostBytes = defaultInputBytes }: NamedInput,
): Promise<Buffer> {
  try {
    if (file === '-') return await readInputStream(stdin, mostBytes);
    return readRegularFile(resolve(cwd, file), mostBytes);
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable(`${flag} ${file}`, error) : error;
  }
}
