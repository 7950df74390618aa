import { type Command, commonOptions, type OptionDefinition } from './command.js';

/** A flag as it was typed. */
export interface GivenFlag {
  /** `port` of `--port`, and of `-p` where that is short for it. */
  readonly name: string;
  /** Undefined where it has none. */
  readonly value: string | undefined;
}

/** The words after a command, sorted by what they are. */
export interface SortedWords {
  readonly flags: readonly GivenFlag[];
  readonly positionals: readonly string[];
  /** What comes after `--`: arguments, whatever they look like. */
  readonly afterTerminator: readonly string[];
}

/** No flag is named by a digit, so that commander takes these for arguments. */
const negativeNumber = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/** Sorts words as commander does. Flags that the command does not have are taken for such without a value. */
export function sortWords(command: Command, words: readonly string[]): SortedWords {
  const options = optionsOf(command);
  const withValue = new Set(options.filter(takesValue).map(nameOf));
  const byLetter = new Map(options.map((option) => [letterOf(option), nameOf(option)]));
  const flags: GivenFlag[] = [];
  const positionals: string[] = [];
  let afterTerminator: readonly string[] = [];
  const rest = words.values();

  const readLong = (word: string): GivenFlag => {
    const sign = word.indexOf('=', 3);
    if (sign > 0) return { name: word.slice(2, sign), value: word.slice(sign + 1) };
    const name = word.slice(2);
    return { name, value: withValue.has(name) ? rest.next().value : undefined };
  };
  /** `-p 80`, `-p80`, and `-ab` for `-a -b`. */
  const readLetters = (letters: string): void => {
    for (let at = 0; at < letters.length; at++) {
      const name = byLetter.get(letters.charAt(at)) ?? letters.charAt(at);
      if (withValue.has(name)) {
        flags.push({ name, value: letters.slice(at + 1) || rest.next().value });
        return;
      }
      flags.push({ name, value: undefined });
    }
  };

  for (const word of rest) {
    if (word === '--') afterTerminator = [...rest];
    else if (word === '-' || !word.startsWith('-') || negativeNumber.test(word))
      positionals.push(word);
    else if (word.startsWith('--')) flags.push(readLong(word));
    else readLetters(word.slice(1));
  }
  return { flags, positionals, afterTerminator };
}

/** All flags that a command takes. */
export function optionsOf({ options = [] }: Command): readonly OptionDefinition[] {
  return [...options, ...commonOptions];
}

/** The name of a flag: `port` of `-p, --port <number>`, `no-wait`. */
export function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
}

export function takesValue({ flags }: OptionDefinition): boolean {
  return flags.endsWith('>');
}

/** `p` of `-p, --port <number>`. */
function letterOf({ flags }: OptionDefinition): string | undefined {
  return /^-(\w)/.exec(flags)?.[1];
}
