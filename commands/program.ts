// Builds the commander program from the command definitions.
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

/** The streams to which help is printed. */
export interface Streams {
  readonly stdout: HelpStream;
  readonly stderr: HelpStream;
}

interface Program extends Streams {
  /** The called command or group. */
  readonly path: string;
  /** The loaded command; undefined for a group. */
  readonly command: Command | undefined;
}

/** Adds all commands to a commander program. Only the loaded command has its flags and arguments. */
export function buildProgram({ commands, groups }: Registry, called: Program) {
  const { path: calledPath, command, stdout, stderr } = called;
  const program = new Commander('msgsite')
    // Flags after `pay invoice show` belong to `show`, not to `pay invoice`.
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
  // Added last, because commands inherit all settings made before they are added.
  for (const { flags, description } of commonOptions) program.option(flags, description);
  program
    .description('Messaging, site content and a payment gateway for a small business.')
    .option(versionOption.flags, versionOption.description)
    .helpOption(helpOption.flags, 'show help for the program or a command')
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

/** Returns the exit code after help was printed. Throws `usage` for every other error that commander reports. */
export function exitCodeOf(error: unknown, path: string): number {
  if (!(error instanceof CommanderError)) throw error;
  const helpCodes = ['commander.help', 'commander.helpDisplayed'];
  // A group without a command prints its help but is a usage error.
  if (helpCodes.includes(error.code))
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  // Commander puts its suggestion on a second line, but messages must be on one line, because line breaks are escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint: hintFor(path), cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}

/** Returns the parsed input of a command without the defaults that commander adds for `--no-…`. */
export function inputOf(leaf: Commander): CommandInput {
  const given = Object.entries(leaf.opts()).filter(
    ([name]) => leaf.getOptionValueSource(name) === 'cli',
  );
  return { arguments: leaf.processedArgs, options: Object.fromEntries(given) };
}
