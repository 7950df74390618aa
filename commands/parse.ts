import type { ParsedCall, Streams } from './parse-with-commander.js';
import { readWords } from './read-words.js';
import { commands, type RegisteredCommand } from './registry.js';

/**
 * Turns the words of the command line into a command and its input. Only the command that is asked
 * for is loaded. Plain words are read by node:util; for help, mistakes and everything unusual commander is
 * loaded, which takes longer than a small command does. Wrong words are a `usage` error that suggests
 * the nearest right ones.
 */
export async function parse(argv: readonly string[], streams: Streams): Promise<ParsedCall> {
  const words = asWords(argv);
  const wanted = findCommand(words);
  const definition = wanted && (await wanted.load()).command;
  if (wanted && definition && isCalled(wanted, words)) {
    const input = readWords(definition, words.slice(wanted.path.split(' ').length));
    if (input) return { kind: 'command', command: definition, input };
  }
  const { parseWithCommander } = await import('./parse-with-commander.js');
  return parseWithCommander(words, streams, wanted && definition && { wanted, definition });
}

/** `help pay invoice show` is `pay invoice show --help`, and no words ask for help, too. */
function asWords(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  return first === 'help' || first === undefined ? [...rest, '--help'] : [...argv];
}

/**
 * The longest registered path that the words start with (flags before it are passed over). What
 * follows the first flag after it are values: `pay invoice --comment show` is no `pay invoice show`.
 */
function findCommand(argv: readonly string[]): RegisteredCommand | undefined {
  const words = argv.slice(argv.findIndex((word) => !word.startsWith('-')));
  const flag = words.findIndex((word) => word.startsWith('-'));
  const asked = flag === -1 ? words : words.slice(0, flag);
  return [...commands]
    .sort((a, b) => b.path.length - a.path.length)
    .find(({ path }) => path.split(' ').every((part, index) => asked[index] === part));
}

/** Whether the words begin with the command itself, with no flags before it. */
function isCalled({ path }: RegisteredCommand, argv: readonly string[]): boolean {
  return path.split(' ').every((part, index) => argv[index] === part);
}
