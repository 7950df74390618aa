import type { ArgumentDefinition, Command, CommandInput, OptionDefinition } from './command.js';
import { commonOptions } from './common-options.js';

/** A flag as the definition writes it: `-p, --port <number>`, `--dry-run`, `--no-wait`. */
interface Flag {
  readonly name: string;
  readonly takesValue: boolean;
  readonly value: boolean;
  readonly definition: OptionDefinition;
}

type Values = Record<string, string | boolean | readonly string[]>;

/**
 * Reads the words after a command where they are plain: long flags of the command, their values, and
 * as many positional words as it takes. Anything else (help, short flags, mistakes) gives undefined,
 * and the full parser has to look at it; the two agree on all that this one reads.
 */
export function readWords(command: Command, words: readonly string[]): CommandInput | undefined {
  const flags = new Map<string, Flag>();
  for (const definition of [...(command.options ?? []), ...commonOptions]) {
    const flag = readFlag(definition);
    if (flag === undefined) return undefined;
    flags.set(flag.name, flag);
  }
  const options: Values = {};
  const positional: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-' || !word.startsWith('-')) {
      positional.push(word);
      continue;
    }
    const [name = '', ...rest] = word.split('=');
    const inline = word.includes('=') ? rest.join('=') : undefined;
    const flag = flags.get(name);
    if (flag === undefined || (inline !== undefined && !flag.takesValue)) return undefined;
    const value = flag.takesValue ? (inline ?? plainValue(words[++index])) : flag.value;
    if (value === undefined || !set(options, flag, value)) return undefined;
  }
  const placed = placeArguments(command.arguments ?? [], positional);
  return placed && { arguments: placed, options };
}

function readFlag(definition: OptionDefinition): Flag | undefined {
  const [, name, argument] = /^(?:-\w, )?(--[\w-]+)(?: (<[^>]+>))?$/.exec(definition.flags) ?? [];
  if (name === undefined) return undefined;
  const value = !name.startsWith('--no-');
  return { name, takesValue: argument !== undefined, value, definition };
}

/** A value that looks like a flag may be a flag whose own value was forgotten. */
function plainValue(word: string | undefined): string | undefined {
  return word?.startsWith('-') ? undefined : word;
}

function set(options: Values, { name, definition }: Flag, value: string | boolean): boolean {
  const key = camelCase(name.replace(/^--(no-)?/, ''));
  const { repeatable, choices } = definition;
  if (repeatable) {
    const before = options[key];
    options[key] = [...(Array.isArray(before) ? before : []), String(value)];
    return true;
  }
  options[key] = value;
  return choices === undefined || choices.includes(String(value));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Words by argument definition, or undefined where there are too few or too many. */
function placeArguments(
  definitions: readonly ArgumentDefinition[],
  words: readonly string[],
): CommandInput['arguments'] | undefined {
  const placed = definitions.map(({ name }, index) =>
    name.includes('...') ? words.slice(index) : words[index],
  );
  const variadic = definitions.at(-1)?.name.includes('...') ?? false;
  const required = definitions.filter(({ name }) => name.startsWith('<')).length;
  const fits = words.length >= required && (variadic || words.length <= definitions.length);
  return fits ? placed : undefined;
}
