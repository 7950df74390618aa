import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import { readPackageVersion } from '../src/base/package-files.js';
import { type Command, type CommandContext, commonOptions } from './command.js';
import { commands, groups } from './registry.js';

/** Where help and the version are printed. */
export type Streams = Pick<CommandContext, 'stdout' | 'stderr'>;

interface LoadedCommand {
  readonly path: string;
  readonly command: Command;
}

/**
 * Answers words that call no command: prints the help or the version that they ask for, and gives the exit
 * code. Mistakes are a `usage` error that suggests the nearest right words.
 */
export async function explain(
  words: readonly string[],
  streams: Streams,
  loaded?: LoadedCommand,
): Promise<number> {
  const program = buildProgram(streams, loaded).version(
    await readPackageVersion(),
    '-V, --version',
    'print the version',
  );
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    return answerOf(error);
  }
  throw new AppError('usage', 'These words call no command.', { hint });
}

const hint = 'See msgsite --help.';

/** All commands as commander knows them, the one that is loaded with its flags and arguments. */
export function buildProgram({ stdout, stderr }: Streams, loaded?: LoadedCommand): Commander {
  const program = new Commander('msgsite')
    // The flags after `pay invoice show` are those of `show`, not of `pay invoice`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns || 80,
      getErrHelpWidth: () => stderr.columns || 80,
    });
  const added = new Map([['', program]]);
  const add = (path: string, summary = ''): Commander => {
    const words = path.split(' ');
    const name = words.pop() ?? path;
    const group = words.join(' ');
    const parent = added.get(group) ?? add(group, groups[group]);
    const commander = parent.command(name).description(summary);
    added.set(path, commander);
    return commander;
  };
  for (const { path, summary } of commands) {
    const commander = add(path, summary);
    if (path === loaded?.path) addDefinition(commander, loaded.command);
  }
  // Here at last: commands inherit what is set before they are added.
  return program
    .description('Messaging, site content and a payment gateway for a small business.')
    .helpOption('-h, --help', 'show help; also for each command')
    .helpCommand('help [command...]', 'show help for a command');
}

function addDefinition(commander: Commander, definition: Command): void {
  for (const { name, description } of definition.arguments ?? []) {
    commander.argument(name, description);
  }
  for (const { flags, description, choices } of [...(definition.options ?? []), ...commonOptions]) {
    const option = new Option(flags, description);
    commander.addOption(choices ? option.choices(choices) : option);
  }
  if (definition.description) commander.description(definition.description);
  commander.addHelpText('after', exampleText(definition)).action(() => {});
}

function exampleText({ examples }: Command): string {
  const lines = examples.map(({ command, description }) => `  # ${description}\n  $ ${command}`);
  return `\nExamples:\n${lines.join('\n\n')}`;
}

function answerOf(error: unknown): number {
  if (!(error instanceof CommanderError)) throw error;
  const asked = ['commander.help', 'commander.helpDisplayed', 'commander.version'];
  // A group called without a command shows its help, which is an answer but not what was meant.
  if (asked.includes(error.code)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  // Commander's suggestion has a line of its own; messages are one, and a break in it would be escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint, cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
