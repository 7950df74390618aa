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
import { createSigningKey, maxSecrets, type SigningKey } from '../../src/webhooks/signature.js';
import { secretValue } from '../../src/webhooks/subscriptions/subscription-file.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';

const variable = 'MSGSITE_WEBHOOK_SECRET';

/** Maximum size of a file with signing secrets, in bytes. */
const maxSecretBytes = 64 * 1024;

export const secretFileFlag: OptionDefinition = {
  flags: '--secret-file <file>',
  description: 'file with the signing secret, or one per line during a rotation (- = stdin)',
};

/** The flags for signing secrets. */
export const secretFlags: readonly OptionDefinition[] = [
  secretFileFlag,
  {
    flags: '--secret <secret>',
    description: `a secret or env:NAME; other users can read flags, so prefer ${variable}`,
    repeatable: true,
  },
  { flags: '--ask-secret', description: 'prompt for the secret' },
];

/** Returns the keys for the signing secrets from a file, flags, a prompt or the environment, if there are any. */
export async function readKeys(
  context: CommandContext,
  input: CommandInput,
): Promise<readonly SigningKey[]> {
  return keysOf(await readSecrets(context, input));
}

/** Like `readKeys`, but prompts for a secret if there is none. Throws `usage` if there is no terminal. */
export async function requireKeys(
  context: CommandContext,
  input: CommandInput,
): Promise<readonly SigningKey[]> {
  const secrets = await readSecrets(context, input);
  const keys = keysOf(secrets.length > 0 ? secrets : [await promptForSecret(context)]);
  if (keys.length === 0) throw new AppError('usage', 'The secret is empty.');
  return keys;
}

/** Returns the keys for the secrets in the `--secret-file` file; undefined without the flag. */
export async function readSecretFile(
  context: CommandContext,
  { options: { secretFile } }: CommandInput,
): Promise<readonly SigningKey[] | undefined> {
  if (typeof secretFile !== 'string') return undefined;
  const keys = keysOf(await secretsIn(context, secretFile));
  if (keys.length > 0) return keys;
  throw new AppError('usage', `--secret-file ${secretFile} contains no secret.`);
}

async function readSecrets(
  context: CommandContext,
  { options }: CommandInput,
): Promise<readonly string[]> {
  const { secretFile, secret, askSecret: ask } = options;
  if (typeof secretFile === 'string') return secretsIn(context, secretFile);
  if (Array.isArray(secret)) return secret.map((each) => secretValue(String(each), context.env));
  if (ask === true) return [await promptForSecret(context)];
  return [context.env[variable] ?? ''];
}

/** Reads secrets, one per line. */
async function secretsIn(context: CommandContext, file: string): Promise<readonly string[]> {
  const named = { flag: '--secret-file', maxBytes: maxSecretBytes };
  return (await readInput(context, file, named)).toString('utf8').split(/\r?\n/);
}

function keysOf(lines: readonly string[]): readonly SigningKey[] {
  const secrets = lines.filter((secret) => secret !== '');
  if (secrets.length <= maxSecrets) return secrets.map(createSigningKey);
  throw new AppError(
    'usage',
    `Too many secrets: ${secrets.length} were given, at most ${maxSecrets} are allowed.`,
  );
}

async function promptForSecret({ interactive, stdin, stderr, signal }: CommandContext) {
  if (interactive) return askSecret('Signing secret: ', { stdin, stderr, signal });
  throw new AppError('usage', 'The signing secret is missing.', {
    hint: `Use --secret-file or set ${variable}.`,
  });
}

interface NamedInput {
  /** The flag that specifies the file, for messages. */
  readonly flag: string;
  /** Maximum size in bytes; 20 MB by default. */
  readonly maxBytes?: number;
}

/** Reads a file that the user specified, or standard input for `-`. */
export async function readInput(
  { cwd, stdin }: CommandContext,
  file: string,
  { flag, maxBytes = defaultInputBytes }: NamedInput,
): Promise<Buffer> {
  try {
    if (file === '-') return await readInputStream(stdin, maxBytes);
    return readRegularFile(resolve(cwd, file), maxBytes);
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable(`${flag} ${file}`, error) : error;
  }
}
