import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError } from './errors.js';
import { readOptionalFile } from './files/input-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The `.env` file that was read. Whoever made the folder wrote it, which need not be who works in it. */
export interface EnvironmentFile {
  readonly path: string;
  /** The variables that have their value from it. */
  readonly names: ReadonlySet<string>;
}

/** Bytes of a `.env` file: some thousand long lines. */
const mostBytes = 1024 * 1024;

/** Where the user's own files lie (a cashier's session is one) is said by the user's own environment. */
const ownFolders = ['HOME', 'XDG_CONFIG_HOME'];

/** The environment with a `.env` file of the working directory below it: real variables win. */
export function readEnvironment(
  cwd: string,
  env: Environment,
): { readonly env: Environment; readonly envFile: EnvironmentFile | undefined } {
  const path = join(cwd, '.env');
  const hint = 'Make it a file that this user may read, or remove it.';
  const bytes = readOptionalFile(path, { mostBytes, hint });
  if (bytes === undefined) return { env, envFile: undefined };
  // Read as something else, its settings would be passed over without a word.
  if (!isUtf8(bytes)) {
    throw new AppError('unreadable_input', `${path} is not UTF-8.`, {
      hint: 'Save it in that encoding.',
    });
  }
  // Some editors begin a file with a byte order mark, which is no part of the first name.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const given = Object.entries(parseEnv(text)).filter(
    ([name]) => env[name] === undefined && !ownFolders.includes(name),
  );
  const names = new Set(given.map(([name]) => name));
  return { env: { ...Object.fromEntries(given), ...env }, envFile: { path, names } };
}
