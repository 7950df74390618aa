import { AppError } from '../src/base/errors.js';
import { type CompletionCommand, completionScript, shells } from '../src/terminal/completion.js';
import { type Command, commonOptions } from './command.js';
import type { RegisteredCommand } from './registry.js';

interface Registry {
  readonly commands: readonly RegisteredCommand[];
  readonly groups: Readonly<Record<string, string>>;
}

/** The command that completes all commands, itself among them. */
export const completionOf = (registry: Registry): Command => ({
  description: 'Print a script that completes commands and flags in a shell.',
  arguments: [{ name: '<shell>', description: shells.join(', ') }],
  examples: [
    {
      command: 'msgsite completion bash > ~/.local/share/bash-completion/completions/msgsite',
      description: 'Install it for bash',
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
  const names = Object.entries(groups).map(([path, summary]) => ({ path, summary, flags: [] }));
  const described = commands.map(async ({ path, summary, load }) => {
    const { options = [] } = (await load()).command;
    const flags = [...options, ...commonOptions].map(({ flags: text, description }) => ({
      name: /--[\w-]+/.exec(text)?.[0] ?? '',
      summary: description,
    }));
    return { path, summary, flags };
  });
  return [...names, ...(await Promise.all(described))];
}
