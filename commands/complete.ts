import { type Command, commonOptions, helpOption, versionOption } from './command.js';
import { nameOf, takesValue } from './flags.js';
import { isGroup, pathsOf, type Registry, routeOf } from './route.js';

/** A possible completion, with its description. */
interface Offer {
  readonly name: string;
  readonly summary?: string;
}

/** Possible completions: words, and optionally the files or folders that the shell finds. */
interface Completion {
  readonly offers: readonly Offer[];
  readonly paths: 'none' | 'files' | 'folders';
}

const nothing: Completion = { offers: [], paths: 'none' };

/**
 * Returns the command that the scripts of `msgsite completion` call. Its arguments are the words of a command line, and
 * it completes the last one. For each match, it prints the word, a tab and the summary. The last line is `:files`,
 * `:folders` or `:none`.
 */
export const completeCommand = (registry: Registry): Command => ({
  description: 'Complete the last word of a command line, for the completion scripts.',
  arguments: [{ name: '[words...]', description: 'the words; the last one is completed' }],
  examples: [{ command: 'msgsite __complete -- pay q', description: 'Complete a command name' }],
  async run({ output }, { arguments: [words] }) {
    const typed = Array.isArray(words) ? words.map(String) : [];
    const { offers, paths } = await complete(typed, registry);
    const matches = offers.filter(({ name }) => name.startsWith(typed.at(-1) ?? ''));
    if (output.json) output.result({ offers: matches, paths }, () => '');
    else {
      const lines = matches.map(({ name, summary = '' }) => `${name}\t${summary}\n`);
      output.write(`${lines.join('')}:${paths}\n`);
    }
    return undefined;
  },
});

async function complete(words: readonly string[], registry: Registry): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const paths = pathsOf(registry);
  const { path, rest } = routeOf(before, paths);
  const command = await registry.commands.find((each) => each.path === path)?.load();
  const options = [...(command?.options ?? []), ...commonOptions, helpOption];
  if (path === '') options.push(versionOption);
  const optionOf = (word: string) =>
    options.find(({ flags }) => flags.split(/[ ,]+/).includes(word.replace(/=.*/s, '')));

  const used = new Set<string>();
  let waiting: ReturnType<typeof optionOf>;
  let isEnded = false;
  let position = 0;
  for (const word of rest) {
    if (waiting) waiting = undefined;
    else if (isEnded || word === '-' || !word.startsWith('-')) position += 1;
    else if (word === '--') isEnded = true;
    else {
      const option = optionOf(word);
      if (option) used.add(option.flags);
      if (option && takesValue(option) && !word.includes('=')) waiting = option;
    }
  }

  if (waiting) return valuesOf(waiting.flags, waiting.choices);
  if (!isEnded && typed.startsWith('-')) {
    const option = optionOf(typed);
    if (!typed.includes('=')) {
      const unused = options.filter(({ flags, repeatable }) => repeatable || !used.has(flags));
      return { ...nothing, offers: unused.map((each) => offerOf(`--${nameOf(each)}`, each)) };
    }
    if (!option) return nothing;
    const values = valuesOf(option.flags, option.choices);
    const prefix = typed.slice(0, typed.indexOf('=') + 1);
    return { ...values, offers: values.offers.map(({ name }) => ({ name: prefix + name })) };
  }
  if (position === 0 && !isEnded && isGroup(path, paths)) {
    const names = nextNames(path, registry);
    return { ...nothing, offers: before.includes('help') ? names : [...names, help] };
  }
  const definitions = command?.arguments ?? [];
  const last = definitions.at(-1);
  const argument = definitions[position] ?? (last?.name.includes('...') ? last : undefined);
  return argument ? valuesOf(argument.name, argument.choices) : nothing;
}

const help: Offer = { name: 'help', summary: 'show help for a command' };

const offerOf = (name: string, { description }: { readonly description: string }): Offer => ({
  name,
  summary: description,
});

/** Returns the names of the commands and groups directly below a path. */
function nextNames(path: string, { commands, groups }: Registry): Offer[] {
  const prefix = path === '' ? '' : `${path} `;
  const all = [
    ...commands.flatMap(({ hidden, ...each }) => (hidden ? [] : each)),
    ...Object.entries(groups).map(([group, summary]) => ({ path: group, summary })),
  ];
  return all
    .filter((each) => each.path.startsWith(prefix))
    .map((each) => ({ name: each.path.slice(prefix.length), summary: each.summary }))
    .filter(({ name }) => !name.includes(' '));
}

/** Returns the completions for a value such as `--data <folder>`, `<file>` or `[files...]`. */
function valuesOf(notation: string, choices: readonly string[] | undefined): Completion {
  if (choices) return { ...nothing, offers: choices.map((name) => ({ name })) };
  const form = /[<[]([^<>[\].]+)(?:\.\.\.)?[>\]]$/.exec(notation)?.[1] ?? '';
  if (/^files?$/.test(form)) return { ...nothing, paths: 'files' };
  return form === 'folder' ? { ...nothing, paths: 'folders' } : nothing;
}
