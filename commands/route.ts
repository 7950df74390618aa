import type { RegisteredCommand } from './command.js';

/** All commands of a program, and the summaries of their groups. */
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
  /** Its path: `pay qr`, `pay`, or '' for the program. */
  readonly path: string;
  /** The words after it, including flags before it. */
  readonly rest: readonly string[];
  /** A request for help or the version instead of a call. */
  readonly asks: 'help' | 'version' | undefined;
}

/** Flags that mean the same anywhere, also before the command. */
export const rootFlags: readonly string[] = ['--json', '--verbose'];

const helpFlags: readonly string[] = ['-h', '--help'];
const versionFlags: readonly string[] = ['-V', '--version'];

/**
 * Finds the command that words call: `--json pay --verbose qr 1500` calls `pay qr` with `--json --verbose 1500`. `help`
 * may be the first word or between the names: `pay help qr` asks for help with `pay qr`. No words at all ask for help,
 * too. `paths` are those of all commands and groups.
 */
export function routeOf(words: readonly string[], paths: ReadonlySet<string>): Route {
  const flags: string[] = [];
  let path = '';
  let asks: Route['asks'];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const longer = path === '' ? word : `${path} ${word}`;
    if (rootFlags.includes(word)) flags.push(word);
    else if (helpFlags.includes(word)) asks ??= 'help';
    else if (path === '' && versionFlags.includes(word)) asks ??= 'version';
    else if (paths.has(longer)) path = longer;
    else if (word === 'help' && leadsOn(path, paths)) asks ??= 'help';
    else break;
  }
  const rest = [...flags, ...words.slice(at)];
  if (path === '' && at === words.length) asks ??= 'help';
  return { path, rest, asks };
}

/** Returns whether more names may follow a path: after a group, a command that is also a group, or the program. */
export function leadsOn(path: string, paths: ReadonlySet<string>): boolean {
  return path === '' || [...paths].some((other) => other.startsWith(`${path} `));
}

/** Returns the hint at the help of a command or group. */
export function hintFor(path: string): string {
  return `See msgsite ${path === '' ? '' : `${path} `}--help.`;
}
