import { type Dirent, readdir as readdirWithCallback, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../base/errors.js';
import { readOptionalFile } from '../../base/files/input-file.js';
import { withSlashes } from '../findings/slashes.js';

/** Whether a word is a pattern for names. */
export function isGlob(word: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(word);
}

/**
 * A pattern becomes a regular expression; the work of one grows with the length of a name to the power of its
 * wildcards.
 */
export const globBounds = {
  /** Characters of a pattern. */
  length: 200,
  /** The most wildcards of a pattern. */
  wildcards: 6,
  /** The most wildcards between two slashes of a pattern. */
  inOnePart: 3,
};

/** Whether a pattern is beyond these bounds. */
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

/** Which files to check. */
export interface SelectedFiles {
  /** As the user named them, or relative to the working directory; each once. */
  readonly files: readonly string[];
  /** Whether all of them were seen in folders as regular files, which need no look before they are opened. */
  readonly areRegular: boolean;
  /** How many were left out because of the ignore file. */
  readonly ignored: number;
  /** How many links to definitions were found in folders; they are not followed. */
  readonly links: number;
}

/**
 * Files for the words of the command line: a file stands for itself (also where it does not exist:
 * reading it will say so), a folder for the definitions in it, anything else is a glob. Words that
 * match nothing are an `unreadable_input` error. Links are followed where they are named, never where
 * they are found: a repository must not choose what of the machine is read.
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
      const place = resolve(cwd, name);
      if (!found.has(place)) found.set(place, name);
    }
  }
  const names = [...found.values()];
  const files = await withoutIgnored(names, cwd);
  return { files, areRegular, ignored: names.length - files.length, links };
}

interface Search {
  readonly cwd: string;
  /** Called with everything that the search comes across. */
  readonly entryFound: (entry: Dirent) => void;
}

type Kind = 'file' | 'folder' | undefined;

async function expand(word: string, kind: Kind, search: Search): Promise<readonly string[]> {
  if (kind === 'folder') return searchFolder(word, search);
  if (kind === 'file' || !isGlob(word)) return [word];
  return searchGlob(word, search);
}

/** Undefined where it is missing or closed to us: reading it says which. It is read at once, as its text will be. */
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
  const place = resolve(cwd, folder);
  const found = await findDefinitions(place, entryFound);
  if (found.length === 0)
    throw nothingFound(`No definition (*.screen.json) was found in ${place}.`);
  return found.map((file) => join(folder, file));
}

async function searchGlob(pattern: string, search: Search): Promise<readonly string[]> {
  const found = await findByGlob(pattern, search);
  if (found.length === 0) throw nothingFound(`No file matches ${pattern}.`);
  return found.map((file) => (isAbsolute(file) ? file : join('.', file)));
}

/** The files that a glob finds, in the order of their names. */
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
    'Name files, folders or globs. A folder stands for the *.screen.json files in it; links in it are not followed.';
  return new AppError('unreadable_input', message, { hint });
}

/** Reads folders as Node.js does, and reports all that is in them. */
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
  return reporting as typeof readdirWithCallback; // the one way in which folders are read here
}

/** Names that are compared with the ignore file before an interruption is let through. */
const namesAtOnce = 100;

/** Those of the files that the ignore file of the folder does not leave out. Throws `configuration`. */
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
    if (index % namesAtOnce === namesAtOnce - 1) await nextTurn();
    const inside = withSlashes(relative(cwd, resolve(cwd, file)));
    const outside = inside === '' || inside.startsWith('../') || isAbsolute(inside);
    if (outside || !filter.ignores(inside)) kept.push(file);
  }
  return kept;
}

const ignoreBounds = {
  ...globBounds,
  /** Bytes of an ignore file. */
  bytes: 64 * 1024,
  /** The most patterns of an ignore file. */
  patterns: 1_000,
};

function readPatterns(file: string): readonly string[] | undefined {
  const bytes = readOptionalFile(file, { mostBytes: ignoreBounds.bytes });
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
      `Line ${hard + 1}: a pattern has at most ${length} characters and ${wildcards} wildcards, ${inOnePart} of them between two slashes.`,
    );
  }
  return written;
}

function isHard(line: string): boolean {
  return !line.startsWith('#') && isHardGlob(line);
}

function tooHard(file: string, reason: string): AppError {
  return new AppError('configuration', `${file} cannot be used. ${reason}`, {
    hint: 'Name folders instead of many single files.',
  });
}

/** Folders that are never searched (a file in them may still be named). */
const neverSearched: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** What definitions are called: editors and folders are searched by it. */
const ending = '.screen.json';

/**
 * The definitions in a folder and the folders in it, as paths relative to it with forward slashes, in
 * the order of their characters. Names are compared as they are: they may have any characters, line
 * breaks included. As for a glob, names that begin with a dot are passed over, links are not
 * followed, and folders that cannot be read are taken for empty.
 * `entryFound` is called with everything that is seen.
 */
async function findDefinitions(
  folder: string,
  entryFound: (entry: Dirent) => void,
): Promise<readonly string[]> {
  const found: string[] = [];
  const left = [''];
  for (let inside = left.pop(); inside !== undefined; inside = left.pop()) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      entryFound(entry);
      const { name } = entry;
      if (name.startsWith('.') || neverSearched.has(name)) continue;
      if (entry.isDirectory()) left.push(`${inside}${name}/`);
      else if (entry.isFile() && name.endsWith(ending)) found.push(inside + name);
    }
  }
  return found.sort();
}
