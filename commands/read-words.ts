import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Command, CommandInput, OptionDefinition } from './command.js';
import { commonOptions } from './common-options.js';

/** A flag by the name that node:util knows it by: `port` of `-p, --port <number>`, `no-wait`. */
type Flags = ReadonlyMap<string, OptionDefinition>;

/**
 * Reads the words after a command where they are plain: flags of the command, their values, and as many
 * positional words as it takes. Anything else (help, mistakes) gives undefined, and the full parser has
 * to look at it; the two agree on all that this one reads.
 */
export function readWords(command: Command, words: readonly string[]): CommandInput | undefined {
  const definitions = [...(command.options ?? []), ...commonOptions];
  const flags: Flags = new Map(definitions.map((option) => [nameOf(option), option]));
  const parsed = tryParse(words, flags);
  const placed = parsed && placeArguments(command, parsed.positionals);
  if (!placed) return undefined;
  const options: Record<string, string | boolean | readonly string[]> = {};
  for (const { name, value } of parsed.values) {
    const { choices, repeatable } = flags.get(name) ?? {};
    const key = name.replace(/^no-/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const before = options[key];
    if (repeatable) options[key] = [...(Array.isArray(before) ? before : []), String(value)];
    else if (choices && !choices.includes(String(value))) return undefined;
    else options[key] = value ?? !name.startsWith('no-');
  }
  return { arguments: placed, options };
}

function tryParse(words: readonly string[], flags: Flags) {
  const options: ParseArgsConfig['options'] = {};
  for (const [name, { flags: text }] of flags) {
    options[name] = { type: text.endsWith('>') ? 'string' : 'boolean' };
  }
  try {
    const { positionals, tokens } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      tokens: true,
    });
    return { positionals, values: tokens.filter((token) => token.kind === 'option') };
  } catch {
    return undefined;
  }
}

function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
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
