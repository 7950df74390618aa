import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { AppError, systemErrorCode } from '../errors.js';

export const ignoreName = '.msgsite-screensignore';

/** What definitions are called: editors and folders are searched by it. */
const definitionPattern = '**/*.screen.json';

/** Folders that are never searched (a file in them may still be named). */
const neverSearched = ['**/node_modules/**', '**/.git/**'];

/** Which files to check. */
export interface SelectedFiles {
  /** As the user named them, or relative to the working directory; each once. */
  readonly files: readonly string[];
  /** How many were left out because of the ignore file. */
  readonly ignored: number;
}

/**
 * Files for the words of the command line: a file stands for itself (also where it does not exist:
 * reading it will say so), a folder for the definitions in it, anything else is a glob. Words that
 * match nothing are an `unreadable_input` error.
 */
export async function selectFiles(words: readonly string[], cwd: string): Promise<SelectedFiles> {
  const found = new Map<string, string>();
  for (const word of words) {
    for (const file of await expand(word, cwd)) {
      const name = file.replaceAll('\\', '/').replace(/^\.\//, '');
      const place = resolve(cwd, name);
      if (!found.has(place)) found.set(place, name);
    }
  }
  const names = [...found.values()];
  const files = await withoutIgnored(names, cwd);
  return { files, ignored: names.length - files.length };
}

async function expand(word: string, cwd: string): Promise<readonly string[]> {
  const kind = await kindOf(resolve(cwd, word));
  if (kind === 'folder') return search(definitionPattern, word, cwd);
  if (kind === 'file' || !isGlob(word)) return [word];
  return search(word, '.', cwd);
}

function isGlob(word: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(word);
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined; // Missing or closed to us: reading it says which.
  }
}

async function search(pattern: string, folder: string, cwd: string): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  const options = { cwd: resolve(cwd, folder), ignore: neverSearched, expandDirectories: false };
  const found = (await glob([pattern], options)).sort();
  if (found.length > 0) return found.map((file) => (isAbsolute(file) ? file : join(folder, file)));
  const message =
    pattern === definitionPattern
      ? `No definition (*.screen.json) was found in ${resolve(cwd, folder)}.`
      : `No file matches ${pattern}.`;
  const hint = 'Name files, folders or globs. A folder stands for the *.screen.json files in it.';
  throw new AppError('unreadable_input', message, { hint });
}

async function withoutIgnored(files: readonly string[], cwd: string): Promise<readonly string[]> {
  const patterns = await readPatterns(join(cwd, ignoreName));
  if (patterns === undefined) return files;
  const { default: ignore } = await import('ignore');
  const filter = ignore().add(patterns);
  return files.filter((file) => {
    const inside = relative(cwd, resolve(cwd, file)).replaceAll('\\', '/');
    return (
      inside === '' || inside.startsWith('../') || isAbsolute(inside) || !filter.ignores(inside)
    );
  });
}

async function readPatterns(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new AppError('unreadable_input', `${file} cannot be read.`, { cause });
  }
}
