import { parseArgs } from 'node:util';
import {
  type Command,
  type CommandInput,
  commonOptions,
  type OptionDefinition,
} from './command.js';
import type { Streams } from './explain.js';
import { commands, type RegisteredCommand } from './registry.js';

/** A command to run and what it was called with. */
export interface Call {
  readonly command: Command;
  readonly input: CommandInput;
}

/**
 * Turns the words of the command line into a call, or into an exit code where they were answered already
 * (help, the version). Only the command that is asked for is loaded. Words that are no call are explained by
 * commander, which takes longer to load than a small command does: wrong ones are a `usage` error that
 * suggests the nearest right ones.
 */
export async function parse(argv: readonly string[], streams: Streams): Promise<Call | number> {
  const words = asWords(argv);
  const wanted = findCommand(words);
  const loaded = wanted && { path: wanted.path, command: (await wanted.load()).command };
  if (loaded) {
    const { path, command } = loaded;
    const input = readWords(command, words.slice(path.split(' ').length));
    if (input) return { command, input };
  }
  const { explain } = await import('./explain.js');
  return explain(words, streams, loaded);
}

/** `help pay invoice show` is `pay invoice show --help`, and no words ask for help, too. */
function asWords(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  return first === 'help' || first === undefined ? [...rest, '--help'] : argv;
}

/** The longest registered path that the words begin with. */
function findCommand(words: readonly string[]): RegisteredCommand | undefined {
  return [...commands]
    .sort((a, b) => b.path.length - a.path.length)
    .find(({ path }) => path.split(' ').every((part, index) => words[index] === part));
}

/** No flag is named by a digit, so that commander takes these for arguments. */
const negativeNumber = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/** The words after a command as it gets them; undefined where it cannot be called so. */
export function readWords(command: Command, words: readonly string[]): CommandInput | undefined {
  const definitions = [...(command.options ?? []), ...commonOptions];
  const flags = new Map(definitions.map((option) => [nameOf(option), option]));
  const config = definitions.map((option) => [nameOf(option), configOf(option)]);
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(config),
    strict: false,
    tokens: true,
  });
  const positionals = new Map<number, string>();
  const options: Record<string, string | boolean | readonly string[]> = {};
  for (const token of tokens) {
    const { kind, index } = token;
    const word = words[index] ?? '';
    if (kind === 'option-terminator') continue;
    if (kind === 'positional' || negativeNumber.test(word)) {
      positionals.set(index, word);
      continue;
    }
    const { name, value } = token;
    const option = flags.get(name);
    if (!option || !isTaken(option, value)) return undefined;
    const key = name.replace(/^no-/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const before = options[key];
    if (value === undefined) options[key] = !name.startsWith('no-');
    else if (option.repeatable) options[key] = [...(Array.isArray(before) ? before : []), value];
    else options[key] = value;
  }
  const placed = placeArguments(command, [...positionals.values()]);
  return placed && { arguments: placed, options };
}

/** The name of a flag: `port` of `-p, --port <number>`, `no-wait`. */
function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
}

function configOf({ flags }: OptionDefinition) {
  const short = /^-(\w)/.exec(flags)?.[1];
  const type: 'string' | 'boolean' = flags.endsWith('>') ? 'string' : 'boolean';
  return short === undefined ? { type } : { type, short };
}

function isTaken({ flags, choices }: OptionDefinition, value: string | undefined): boolean {
  if (value === undefined) return !flags.endsWith('>');
  return flags.endsWith('>') && (choices?.includes(value) ?? true);
}

/** Words by argument definition, or undefined where there are too few or too many. */
function placeArguments(
  { arguments: definitions = [] }: Command,
  words: readonly string[],
): CommandInput['arguments'] | undefined {
  const variadic = definitions.at(-1)?.name.includes('...') ?? false;
  const required = definitions.filter(({ name }) => name.startsWith('<')).length;
  if (words.length < required || (words.length > definitions.length && !variadic)) return undefined;
  return definitions.map(({ name }, index) =>
    name.includes('...') ? words.slice(index) : words[index],
  );
}
