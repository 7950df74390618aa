import type { Command, CommandInput, OptionDefinition } from './command.js';
import type { Streams } from './explain.js';
import { paths } from './paths.js';
import { commands } from './registry.js';
import { type Route, rootFlags, routeOf } from './route.js';
import { nameOf, optionsOf, sortWords, takesValue } from './words.js';

/** A command to run and what it was called with. */
export interface Call {
  readonly command: Command;
  readonly input: CommandInput;
}

/** The outside, as far as words depend on it. */
interface Surroundings extends Streams {
  /** Whether there is a file of this name, relative to where the command was called. */
  readonly isFile: (name: string) => boolean;
}

/**
 * Turns the words of the command line into a call, or into an exit code where they were answered already
 * (help). Only the command that is asked for is loaded. Words that are no call are explained by
 * commander, which takes longer to load than a small command does: wrong ones are a `usage` error that
 * suggests the nearest right ones.
 */
export async function parse(
  argv: readonly string[],
  { isFile, ...streams }: Surroundings,
): Promise<Call | number> {
  const route = routeOf(argv, paths);
  const { path } = route;
  const loaded = await loadAt(route);
  const words = route.asks === 'version' ? onlyRootFlags(route.rest) : route.rest;
  const asksHelp = route.asks === 'help' || (loaded && hasHelpWord(loaded.command, words, isFile));
  if (loaded && !asksHelp) {
    const input = readWords(loaded.command, words);
    if (input) return { command: loaded.command, input };
  }
  const { explain } = await import('./explain.js');
  return explain({ path, words, asksHelp: asksHelp === true, loaded }, streams);
}

/** The command that a route leads to; the one that prints the version is part of every program of ours. */
async function loadAt({ path, asks }: Route) {
  if (asks === 'version') return { path: 'version', ...(await import('./version.js')) };
  const registered = commands.find((each) => each.path === path);
  return registered && { path, ...(await registered.load()) };
}

/** `--version` answers whatever else was typed, in the form that was asked for. */
function onlyRootFlags(words: readonly string[]): readonly string[] {
  return words.filter((word) => rootFlags.includes(word));
}

/**
 * Whether an argument is the word `help`, which is the value of none. Where files are taken, one of that name
 * is meant; after `--`, an argument is.
 */
function hasHelpWord(
  command: Command,
  words: readonly string[],
  isFile: Surroundings['isFile'],
): boolean {
  const asked = sortWords(command, words).positionals.includes('help');
  const takesFiles = command.arguments?.some(({ name }) => /file/.test(name)) ?? false;
  return asked && !(takesFiles && isFile('help'));
}

/** The words after a command as it gets them; undefined where it cannot be called so. */
export function readWords(command: Command, words: readonly string[]): CommandInput | undefined {
  const known = new Map(optionsOf(command).map((option) => [nameOf(option), option]));
  const { flags, positionals, afterTerminator } = sortWords(command, words);
  const options: Record<string, string | boolean | readonly string[]> = {};
  for (const { name, value } of flags) {
    const option = known.get(name);
    if (!option || !isTaken(option, value)) return undefined;
    const key = name.replace(/^no-/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const before = options[key];
    if (value === undefined) options[key] = !name.startsWith('no-');
    else if (option.repeatable) options[key] = [...(Array.isArray(before) ? before : []), value];
    else options[key] = value;
  }
  const placed = placeArguments(command, [...positionals, ...afterTerminator]);
  return placed && { arguments: placed, options };
}

function isTaken(option: OptionDefinition, value: string | undefined): boolean {
  if (value === undefined) return !takesValue(option);
  return takesValue(option) && (option.choices?.includes(value) ?? true);
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
