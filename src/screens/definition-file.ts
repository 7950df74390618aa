import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError, systemErrorCode } from '../errors.js';
import type { Finding } from './findings.js';
import { withoutMark } from './parse.js';
import { validateBytes } from './validate-files.js';

interface Surroundings {
  /** Folder that relative names start from. */
  readonly cwd: string;
  /** Where `-` reads from. */
  readonly stdin: Readable;
}

/**
 * Reads a definition that is going to be drawn: the parsed JSON of a file, or of stdin for `-`.
 * `unreadable_input` where there is no such text; `bad_request` with every error where it breaks the
 * contract, because a page of it would be missing what the author meant to show.
 */
export async function readDefinitionFile(file: string, around: Surroundings): Promise<unknown> {
  const bytes = await readBytes(file, around);
  const { findings } = await validateBytes(file, bytes, {});
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return JSON.parse(withoutMark(bytes.toString('utf8')));
  throw new AppError('bad_request', `${nameOf(file)} breaks the screen contract.`, {
    details: errors.map((error) => ({ path: placeOf(file, error), message: error.message })),
    hint: `msgsite validate-screen ${file} shows the places, and what will not work besides.`,
  });
}

async function readBytes(file: string, { cwd, stdin }: Surroundings): Promise<Buffer> {
  if (file === '-') return buffer(stdin);
  try {
    return await readFile(resolve(cwd, file));
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === undefined) throw cause;
    throw new AppError('unreadable_input', `${file} cannot be read (${code}).`, {
      hint: 'Name a file with a screen definition, or - for stdin.',
      cause,
    });
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'The definition' : file;
}

function placeOf(file: string, { line, column, path }: Finding): string {
  const name = file === '-' ? 'stdin' : file;
  return `${name}:${line}:${column}${path ? ` ${path}` : ''}`;
}
