import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError, systemErrorCode } from './errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with a `.env` file of the working directory below it: real variables win. */
export async function readEnvironment(cwd: string, env: Environment): Promise<Environment> {
  const file = join(cwd, '.env');
  try {
    return { ...parseEnv(await readFile(file, 'utf8')), ...env };
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return env;
    throw new AppError('unreadable_input', `${file} cannot be read.`, {
      hint: 'Make it readable for this user, or remove it.',
      cause,
    });
  }
}
