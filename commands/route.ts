import type { RegisteredCommand } from './command.js';

/** The commands of the program, and the summaries of the command groups. */
export interface Registry {
  readonly commands: readonly RegisteredCommand[];
  readonly groups: Readonly<Record<string, string>>;
}

/** Returns the paths of all commands and groups. */
export function pathsOf({ commands, groups }: Registry): ReadonlySet<string> {
  return new Set([...Object.keys(groups), ...commands.map(({ path }) => path)]);
}

/** The command or group that the words of a command line call. */
export interface Route {
  /** The path, such as `pay qr` or `pay`; '' for the program. */
  readonly path: string;
  /** The words after the path, and the flags before it. */
  readonly rest: readonly string[];
  /** Set if the words request help or the version. */
  readonly requested: 'help' | 'version' | undefined;
}

/** Flags that are valid anywhere, even before the command. */
export const rootFlags: readonly string[] = ['--json', '--verbose'];

const helpFlags: readonly string[] = ['-h', '--help'];
const versionFlags: readonly string[] = ['-V', '--version'];

/**
 * Finds the command that words call: `--json pay --verbose qr 1500` calls `pay qr` with `--json --verbose 1500`. `help`
 * may be the first word or between the names: `pay help qr` requests help for `pay qr`. An empty command line also
 * requests help. `paths` contains the paths of all commands and groups.
 */
export function routeOf(words: readonly string[], paths: ReadonlySet<string>): Route {
  const flags: string[] = [];
  let path = '';
  let requested: Route['requested'];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const longer = path === '' ? word : `${path} ${word}`;
    if (rootFlags.includes(word)) flags.push(word);
    else if (helpFlags.includes(word)) requested ??= 'help';
    else if (path === '' && versionFlags.includes(word)) requested ??= 'version';
    else if (paths.has(longer)) path = longer;
    else if (word === 'help' && isGroup(path, paths)) requested ??= 'help';
    else break;
  }
  const rest = [...flags, ...words.slice(at)];
  if (path === '' && at === words.length) requested ??= 'help';
  return { path, rest, requested };
}

/** Returns whether command names may follow a path. This applies to groups, commands that are also groups, and ''. */
export function isGroup(path: string, paths: ReadonlySet<string>): boolean {
  return path === '' || [...paths].some((other) => other.startsWith(`${path} `));
}

/** Returns a hint that refers to the help of a command or group. */
export function hintFor(path: string): string {
  return `See msgsite ${path === '' ? '' : `${path} `}--help.`;
}
