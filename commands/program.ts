// The description of the command line for commander.
import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import {
  type Command,
  type CommandInput,
  commonOptions,
  helpOption,
  type OptionDefinition,
  versionOption,
} from './command.js';
import { hintFor, type Registry } from './route.js';

interface HelpStream {
  readonly columns?: number;
  write(text: string): unknown;
}

/** The streams for help. */
export interface Streams {
  readonly stdout: HelpStream;
  readonly stderr: HelpStream;
}

interface Program extends Streams {
  /** The command or group that is called, and the loaded command. */
  readonly path: string;
  readonly command: Command | undefined;
}

/** Describes all commands for commander, the loaded one with its flags and arguments. */
export function buildProgram({ commands, groups }: Registry, called: Program) {
  const { path: calledPath, command, stdout, stderr } = called;
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
  const add = (path: string, summary = '', hidden = false): Commander => {
    const words = path.split(' ');
    const name = words.pop() ?? path;
    const group = words.join(' ');
    const parent = added.get(group) ?? add(group, groups[group]);
    const commander = parent.command(name, { hidden }).description(summary);
    added.set(path, commander);
    return commander;
  };
  for (const { path, summary, hidden } of commands) add(path, summary, hidden);
  const leaf = added.get(calledPath) ?? program;
  if (command) describe(leaf, command);
  // Last, because commands inherit everything that is set before they are added.
  for (const { flags, description } of commonOptions) program.option(flags, description);
  program
    .description('Messaging, site content and a payment gateway for a small business.')
    .option(versionOption.flags, versionOption.description)
    .helpOption(helpOption.flags, 'show help (also for each command)')
    .helpCommand('help [command...]', 'show help for a command');
  return { program, leaf };
}

function describe(commander: Commander, definition: Command): void {
  for (const { name, description } of definition.arguments ?? []) {
    commander.argument(name, description);
  }
  for (const option of [...(definition.options ?? []), ...commonOptions]) {
    commander.addOption(toOption(option));
  }
  if (definition.description) commander.description(definition.description);
  const examples = definition.examples.map(
    ({ command, description }) => `  # ${description}\n  $ ${command}`,
  );
  commander.addHelpText('after', `\nExamples:\n${examples.join('\n\n')}`);
}

function toOption({ flags, description, choices, repeatable }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  const { parseArg } = option;
  if (repeatable) {
    option.argParser((word, before: readonly string[] = []) => [
      ...before,
      parseArg ? parseArg(word, '') : word,
    ]);
  }
  return option;
}

/** Returns the exit code of printed help. @throws AppError `usage` for everything else that commander reports */
export function answerTo(error: unknown, path: string): number {
  if (!(error instanceof CommanderError)) throw error;
  const asked = ['commander.help', 'commander.helpDisplayed'];
  // A group without a command shows its help, but that is a mistake of the user.
  if (asked.includes(error.code)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  // Commander's suggestion is on a second line; messages are one line, and would show the break escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint: hintFor(path), cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}

/** Returns the parsed words of a command without the defaults that commander adds for `--no-…`. */
export function inputOf(leaf: Commander): CommandInput {
  const given = Object.entries(leaf.opts()).filter(
    ([name]) => leaf.getOptionValueSource(name) === 'cli',
  );
  return { arguments: leaf.processedArgs, options: Object.fromEntries(given) };
}
