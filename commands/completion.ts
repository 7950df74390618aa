import { AppError } from '../src/base/errors.js';
import { completionScript, shells } from '../src/terminal/completion/script.js';
import type {
  CompletionCommand,
  CompletionFlag,
  ValueKind,
} from '../src/terminal/completion/words.js';
import {
  type Command,
  commonOptions,
  helpOption,
  type OptionDefinition,
  type RegisteredCommand,
  versionOption,
} from './command.js';

interface Registry {
  readonly commands: readonly RegisteredCommand[];
  readonly groups: Readonly<Record<string, string>>;
}

/** The command that completes all commands, itself among them. */
export const completionOf = (registry: Registry): Command => ({
  description: 'Print a script that completes commands and flags in a shell.',
  arguments: [{ name: '<shell>', description: shells.join(', '), choices: shells }],
  examples: [
    {
      command: 'msgsite completion bash > ~/.local/share/bash-completion/completions/msgsite',
      description: 'Install it for bash',
    },
    {
      command: 'msgsite completion zsh > ~/.zfunc/_msgsite',
      description: 'For zsh, with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc',
    },
    {
      command: 'msgsite completion fish > ~/.config/fish/completions/msgsite.fish',
      description: 'Install it for fish',
    },
  ],
  async run({ output }, input) {
    const [name] = input.arguments;
    const shell = shells.find((known) => known === name);
    if (!shell) {
      throw new AppError('usage', `There is no completion for ${String(name)}.`, {
        hint: `Known shells: ${shells.join(', ')}.`,
      });
    }
    const script = completionScript(shell, await describeCommands(registry));
    output.result({ shell, script }, () => script);
  },
});

async function describeCommands({ commands, groups }: Registry): Promise<CompletionCommand[]> {
  const places = ['', ...Object.keys(groups)].map((path) => ({
    path,
    summary: groups[path] ?? '',
    flags: [...commonOptions, helpOption, ...(path === '' ? [versionOption] : [])].map(flagOf),
  }));
  const described = commands.map(async ({ path, summary, load }) => {
    const { command } = await load();
    const args = command.arguments ?? [];
    return {
      path,
      summary,
      flags: [...(command.options ?? []), ...commonOptions, helpOption].map(flagOf),
      arguments: args.map(({ name, choices }) => kindOf(name, choices)),
      isVariadic: args.at(-1)?.name.includes('...') ?? false,
    };
  });
  return [...places, ...(await Promise.all(described))];
}

function flagOf({ flags, description, choices, repeatable }: OptionDefinition): CompletionFlag {
  const short = /^-\w/.exec(flags)?.[0];
  return {
    name: /--[\w-]+/.exec(flags)?.[0] ?? flags,
    summary: description,
    ...(short === undefined ? {} : { short }),
    ...(flags.endsWith('>') ? { value: kindOf(flags, choices) } : {}),
    ...(repeatable ? { repeatable } : {}),
  };
}

/** What the value of `--data <folder>`, `<file>` or `[files...]` is. */
function kindOf(notation: string, choices: readonly string[] | undefined): ValueKind {
  if (choices) return { choices };
  const form = /[<[]([^<>[\].]+)(?:\.\.\.)?[>\]]$/.exec(notation)?.[1] ?? '';
  if (/^files?$/.test(form)) return 'file';
  return form === 'folder' ? 'folder' : { form };
}
