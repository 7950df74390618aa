import { type Dirent, readdir as readdirWithCallback, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../base/errors.js';
import { readOptionalFile } from '../../base/files/input-file.js';
import { withSlashes } from '../findings/slashes.js';

/** Returns true if an argument is a glob. */
export function isGlob(word: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(word);
}

/**
 * Limits of a pattern, which is compiled to a regular expression. The time to match a name grows with its length to the
 * power of the number of wildcards.
 */
export const globBounds = {
  /** Maximum length of a pattern, in characters. */
  length: 200,
  /** Maximum number of wildcards in a pattern. */
  wildcards: 6,
  /** Maximum number of wildcards between two slashes of a pattern. */
  inOnePart: 3,
};

/** Returns true if a pattern exceeds the limits. */
export function isHardGlob(pattern: string): boolean {
  const { length, wildcards, inOnePart } = globBounds;
  const countOf = (text: string): number => text.match(/\*+/g)?.length ?? 0;
  return (
    pattern.length > length ||
    countOf(pattern) > wildcards ||
    pattern.split('/').some((part) => countOf(part) > inOnePart)
  );
}

export const ignoreName = '.msgsite-screensignore';

/** The files to check. */
export interface SelectedFiles {
  /** Names as specified, or relative to the working directory, without duplicates. */
  readonly files: readonly string[];
  /** True if all files were found in folders. They are then known to be regular files. */
  readonly areRegular: boolean;
  /** Number of files that the ignore file excludes. */
  readonly ignored: number;
  /** Number of symbolic links to definitions in folders. They are not followed. */
  readonly links: number;
}

/**
 * Returns the files for the command line arguments: named files (even if missing, which is reported on reading), the
 * definitions in named folders, and the matches of globs. Throws `unreadable_input` for a folder or glob without
 * matches. Follows symbolic links only if they are named, so that a repository cannot decide which files of the machine
 * are read.
 */
export async function selectFiles(words: readonly string[], cwd: string): Promise<SelectedFiles> {
  const found = new Map<string, string>();
  let links = 0;
  let areRegular = true;
  const search: Search = {
    cwd,
    entryFound(entry) {
      if (entry.isSymbolicLink() && entry.name.endsWith('.json')) links += 1;
    },
  };
  for (const word of words) {
    const kind = kindOf(resolve(cwd, word));
    if (kind !== 'folder') areRegular = false;
    for (const file of await expand(word, kind, search)) {
      const name = withSlashes(file).replace(/^\.\//, '');
      const path = resolve(cwd, name);
      if (!found.has(path)) found.set(path, name);
    }
  }
  const names = [...found.values()];
  const files = await withoutIgnored(names, cwd);
  return { files, areRegular, ignored: names.length - files.length, links };
}

interface Search {
  readonly cwd: string;
  /** Called for every entry that the search finds. */
  readonly entryFound: (entry: Dirent) => void;
}

type Kind = 'file' | 'folder' | undefined;

async function expand(word: string, kind: Kind, search: Search): Promise<readonly string[]> {
  if (kind === 'folder') return searchFolder(word, search);
  if (kind === 'file' || !isGlob(word)) return [word];
  return searchGlob(word, search);
}

/** Returns undefined if the path is missing or inaccessible, which is reported on reading. */
function kindOf(path: string): Kind {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

async function searchFolder(
  folder: string,
  { cwd, entryFound }: Search,
): Promise<readonly string[]> {
  const path = resolve(cwd, folder);
  const found = await findDefinitions(path, entryFound);
  if (found.length === 0) throw nothingFound(`No definition (*.screen.json) found in ${path}.`);
  return found.map((file) => join(folder, file));
}

async function searchGlob(pattern: string, search: Search): Promise<readonly string[]> {
  const found = await findByGlob(pattern, search);
  if (found.length === 0) throw nothingFound(`No file matches ${pattern}.`);
  return found.map((file) => (isAbsolute(file) ? file : join('.', file)));
}

/** Returns the files that match a glob, sorted by name. */
export async function findByGlob(
  pattern: string,
  { cwd, entryFound = () => {} }: Partial<Search> & Pick<Search, 'cwd'>,
): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  const options = {
    cwd,
    ignore: [...neverSearched].map((name) => `**/${name}/**`),
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: { readdir: reportingReaddir(entryFound) },
  };
  return (await glob([pattern], options)).sort();
}

function nothingFound(message: string): AppError {
  const hint =
    'Specify files, folders or globs. In a folder, *.screen.json files are checked, but symbolic links are not followed.';
  return new AppError('unreadable_input', message, { hint });
}

/** Returns a `readdir` that reports every entry. */
function reportingReaddir(entryFound: Search['entryFound']): typeof readdirWithCallback {
  const reporting = (
    path: string,
    options: { readonly withFileTypes: true },
    done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
  ): void => {
    readdirWithCallback(path, options, (error, entries) => {
      for (const entry of entries ?? []) entryFound(entry);
      done(error, entries);
    });
  };
  return reporting as typeof readdirWithCallback; // the only overload that tinyglobby calls
}

/** Number of names that are matched with the ignore file at a time. Signals can arrive in between. */
const namesPerTurn = 100;

/** Returns the files that the folder's ignore file does not exclude. Throws `configuration` if it is invalid. */
export async function withoutIgnored(
  files: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  const patterns = readPatterns(join(cwd, ignoreName));
  if (patterns === undefined) return files;
  const { default: ignore } = await import('ignore');
  const filter = ignore().add(patterns);
  const kept: string[] = [];
  for (const [index, file] of files.entries()) {
    if (index % namesPerTurn === namesPerTurn - 1) await nextTurn();
    const inside = withSlashes(relative(cwd, resolve(cwd, file)));
    const outside = inside === '' || inside.startsWith('../') || isAbsolute(inside);
    if (outside || !filter.ignores(inside)) kept.push(file);
  }
  return kept;
}

const ignoreBounds = {
  ...globBounds,
  /** Maximum size of an ignore file, in bytes. */
  bytes: 64 * 1024,
  /** Maximum number of patterns in an ignore file. */
  patterns: 1_000,
};

function readPatterns(file: string): readonly string[] | undefined {
  const bytes = readOptionalFile(file, { maxBytes: ignoreBounds.bytes });
  if (bytes === undefined) return undefined;
  const lines = bytes.toString('utf8').split(/\r?\n/);
  const written = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (written.length > ignoreBounds.patterns) {
    throw tooHard(file, `It has more than ${ignoreBounds.patterns} patterns.`);
  }
  const hard = lines.findIndex(isHard);
  if (hard >= 0) {
    const { length, wildcards, inOnePart } = ignoreBounds;
    throw tooHard(
      file,
      `Line ${hard + 1}: a pattern may have at most ${length} characters and ${wildcards} wildcards, ${inOnePart} of them between two slashes.`,
    );
  }
  return written;
}

function isHard(line: string): boolean {
  return !line.startsWith('#') && isHardGlob(line);
}

function tooHard(file: string, reason: string): AppError {
  return new AppError('configuration', `${file} is invalid. ${reason}`, {
    hint: 'List folders instead of individual files.',
  });
}

/** Folders that are never searched. Files in them can still be named explicitly. */
const neverSearched: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** The extension of definition files. */
const extension = '.screen.json';

/**
 * Returns the definitions below a folder, as sorted relative paths with forward slashes. Names can contain any
 * characters, including line breaks. As with globs, names that begin with a dot are skipped, symbolic links are not
 * followed, and unreadable folders are treated as empty.
 */
async function findDefinitions(
  folder: string,
  entryFound: (entry: Dirent) => void,
): Promise<readonly string[]> {
  const found: string[] = [];
  const pending = [''];
  for (let inside = pending.pop(); inside !== undefined; inside = pending.pop()) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      entryFound(entry);
      const { name } = entry;
      if (name.startsWith('.') || neverSearched.has(name)) continue;
      if (entry.isDirectory()) pending.push(`${inside}${name}/`);
      else if (entry.isFile() && name.endsWith(extension)) found.push(inside + name);
    }
  }
  return found.sort();
}
