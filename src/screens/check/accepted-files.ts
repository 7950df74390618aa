import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.js';
import { quote } from '../text/quote.js';
import { withSlashes } from '../text/with-slashes.js';
import type { AcceptedFindings, Suppression } from './accepted.js';
import { globBounds, isGlob, isHardGlob } from './globs.js';
import { findByGlob } from './select-files.js';

/** The surroundings of the files that a run checks. */
export interface FileNames {
  /** Where the names of reports start from. */
  readonly cwd: string;
  /** The folder of the configuration, where the names of its entries start from. */
  readonly folder: string;
  /** As they are reported. */
  readonly files: readonly string[];
}

/** The name of a file in the entries of a configuration. */
export function nameInConfig(file: string, { cwd, folder }: Omit<FileNames, 'files'>): string {
  return withSlashes(relative(folder, resolve(cwd, file)));
}

/**
 * What each file is called in entries: its name from the configuration's folder on, and the globs that fit
 * it. Each file is compared with each glob once. A glob that cannot be used is a `configuration` error.
 */
export async function nameFiles(
  entries: readonly Suppression[],
  names: FileNames,
): Promise<AcceptedFindings['names']> {
  const wanted = new Set(entries.flatMap(({ file }) => file ?? []));
  if (wanted.size === 0) return new Map();
  const globs = await Promise.all(globsAmong(wanted, names.folder).map(compile));
  return new Map(
    names.files.map((file) => {
      const name = nameInConfig(file, names);
      const own = name === file ? [] : [name];
      return [file, [...own, ...globs.flatMap(({ glob, fits }) => (fits(name) ? glob : []))]];
    }),
  );
}

/** A glob, as it is written and as it is compared. */
interface Glob {
  readonly glob: string;
  readonly pattern: string;
}

/**
 * The names that stand for several files: globs, and folders for what is in them. One that names a file
 * stands for that file alone, as on the command line.
 */
function globsAmong(names: Iterable<string>, folder: string): readonly Glob[] {
  return [...names].flatMap((glob) => {
    const found = statSync(resolve(folder, glob), { throwIfNoEntry: false });
    const pattern = glob.replace(/^\.\//, '');
    if (found?.isDirectory() || glob.endsWith('/')) {
      return { glob, pattern: pattern.replace(/\/?$/, '/**') };
    }
    return isGlob(glob) && !found ? { glob, pattern } : [];
  });
}

async function compile({ glob, pattern }: Glob) {
  const { wildcards, length, inOnePart } = globBounds;
  if (isHardGlob(pattern)) {
    const bounds = `at most ${length} characters and ${wildcards} wildcards, ${inOnePart} of them between two slashes`;
    throw unusable(glob, `it may have ${bounds}`);
  }
  if (glob.startsWith('!')) throw unusable(glob, 'it says what is not meant; say what is');
  // Their work may double with each letter of a name.
  if (/[@?!+*]\(/.test(glob)) throw unusable(glob, 'it takes no patterns in round brackets');
  const { default: picomatch } = await import('picomatch');
  try {
    return { glob, fits: picomatch(pattern, { strictBrackets: true, noextglob: true }) };
  } catch {
    throw unusable(glob, 'a bracket in it is not closed');
  }
}

function unusable(glob: string, reason: string): AppError {
  return new AppError('configuration', `The glob ${quote(glob, 200)} cannot be used: ${reason}.`, {
    hint: 'It stands in "file" of an entry of ignore or baseline.',
  });
}

/**
 * Names in entries that no checked file has, and that stand for nothing on the disk either: they are mistyped,
 * or their files have moved.
 */
export async function namesWithoutFile(
  entries: readonly Suppression[],
  matched: AcceptedFindings['names'],
  folder: string,
): Promise<readonly string[]> {
  const known = new Set([...matched].flatMap(([file, names]) => [file, ...names]));
  const wanted = new Set(entries.flatMap(({ file }) => file ?? []));
  const unknown = [...wanted].filter((name) => !known.has(name));
  const isThere = await Promise.all(unknown.map((name) => leadsToFile(name, folder)));
  return unknown.filter((_, index) => !isThere[index]);
}

/** Whether a name in an entry stands for several files. */
export function standsForMany(name: string, folder: string): boolean {
  return globsAmong([name], folder).length > 0;
}

async function leadsToFile(name: string, folder: string): Promise<boolean> {
  const [glob] = globsAmong([name], folder);
  if (glob === undefined) return existsSync(resolve(folder, name));
  return (await findByGlob(glob.pattern, { cwd: folder })).length > 0;
}
