import { AppError } from '../src/base/errors.js';
import {
  type CompletionCommand,
  completionScript,
  isShell,
  shells,
} from '../src/terminal/completion.js';
import type { Command } from './command.js';
import { commonOptions } from './common-options.js';
import { commands, groups } from './registry.js';

export const command: Command = {
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
    const [shell] = input.arguments;
    if (typeof shell !== 'string' || !isShell(shell)) {
      throw new AppError('usage', `There is no completion for ${String(shell)}.`, {
        hint: `Known shells: ${shells.join(', ')}.`,
      });
    }
    const script = completionScript(shell, await describeCommands());
    output.result({ shell, script }, () => script);
    return 0;
  },
};

async function describeCommands(): Promise<CompletionCommand[]> {
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
