import type { RegisteredCommand } from './command.js';

/** All commands of a program, and what each group of them is about. */
export interface Registry {
  readonly commands: readonly RegisteredCommand[];
  readonly groups: Readonly<Record<string, string>>;
}

/** Returns the words of every command and group. */
export function pathsOf({ commands, groups }: Registry): ReadonlySet<string> {
  return new Set([...Object.keys(groups), ...commands.map(({ path }) => path)]);
}

/** Where the words of a command line lead. */
export interface Route {
  /** The command or group that is meant: `pay qr`, `pay`, or '' for the program. */
  readonly path: string;
  /** The words after it, flags given before it among them. */
  readonly rest: readonly string[];
  /** What is asked for instead of a call. */
  readonly asks: 'help' | 'version' | undefined;
}

/** Flags that mean the same wherever they are, also before the command. */
export const rootFlags: readonly string[] = ['--json', '--verbose'];

const helpFlags: readonly string[] = ['-h', '--help'];
const versionFlags: readonly string[] = ['-V', '--version'];

/**
 * Follows words through groups to a command: `--json pay --verbose qr 1500` leads to `pay qr` with `--json
 * --verbose 1500`. `help` may be the first word or any between the names: `pay help qr` asks for help with `pay qr`.
 * No words ask for help, too. `paths` are those of all commands and groups.
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

/** Whether more names may follow: those of a group, of an own command that is one, too, or of the program. */
export function leadsOn(path: string, paths: ReadonlySet<string>): boolean {
  return path === '' || [...paths].some((other) => other.startsWith(`${path} `));
}

/** Where to read what a command or group takes. */
export function hintFor(path: string): string {
  return `See msgsite ${path === '' ? '' : `${path} `}--help.`;
}
