import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError } from './errors.js';
import { readOptionalFile } from './files/input-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The `.env` file that was read. It may have been written by someone other than the user. */
export interface EnvironmentFile {
  readonly path: string;
  /** Names of the variables that the file has set. */
  readonly names: ReadonlySet<string>;
}

/** Maximum size of a `.env` file, in bytes. */
const maxBytes = 1024 * 1024;

/** Variables that a `.env` file cannot set, because they locate the user's own files, such as a cashier's session. */
const ownFolders = ['HOME', 'XDG_CONFIG_HOME'];

/** Returns the environment. Missing variables are read from a `.env` file in the working directory. */
export function readEnvironment(
  cwd: string,
  env: Environment,
): { readonly env: Environment; readonly envFile: EnvironmentFile | undefined } {
  const path = join(cwd, '.env');
  const hint = 'Make it readable by this user, or remove it.';
  const bytes = readOptionalFile(path, { maxBytes, hint });
  if (bytes === undefined) return { env, envFile: undefined };
  // Settings in another encoding would be ignored silently.
  if (!isUtf8(bytes)) {
    throw new AppError('unreadable_input', `${path} is not UTF-8.`, {
      hint: 'Save the file as UTF-8.',
    });
  }
  // Some editors add a byte order mark, which is not part of the first name.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const added = Object.entries(parseEnv(text)).filter(
    ([name]) => env[name] === undefined && !ownFolders.includes(name),
  );
  const names = new Set(added.map(([name]) => name));
  return { env: { ...Object.fromEntries(added), ...env }, envFile: { path, names } };
}
