import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import { nearest } from '../src/base/nearest.js';
import {
  type Command,
  type CommandInput,
  commonOptions,
  helpOption,
  type OptionDefinition,
  versionOption,
} from './command.js';
import { leadsOn, pathsOf, type Registry, rootFlags, routeOf } from './route.js';
import { command as versionCommand } from './version.js';

/** A command to run and what it was called with. */
export interface Call {
  readonly command: Command;
  readonly input: CommandInput;
}

interface HelpStream {
  readonly columns?: number;
  write(text: string): unknown;
}

interface Surroundings {
  /** Where help is printed. */
  readonly stdout: HelpStream;
  readonly stderr: HelpStream;
  /** Returns whether a file of this name exists, relative to the working directory. */
  readonly isFile: (name: string) => boolean;
}

/**
 * Parses the words of the command line into a call, or returns an exit code if they ask for help, which is printed
 * (with `--json` as `{help}`). Only the command that is called is loaded.
 *
 * @throws AppError `usage` for a mistake, with the nearest right words as a suggestion
 */
export async function parse(
  argv: readonly string[],
  registry: Registry,
  { stdout, stderr, isFile }: Surroundings,
): Promise<Call | number> {
  const paths = pathsOf(registry);
  const { path, rest, asks } = routeOf(argv, paths);
  const json = rest.includes('--json');
  if (asks === 'version') {
    return { command: versionCommand, input: { arguments: [], options: json ? { json } : {} } };
  }
  const command = await registry.commands.find((each) => each.path === path)?.load();
  const takesArguments = (command?.arguments?.length ?? 0) > 0;
  const [word] = rest.filter((each) => !rootFlags.includes(each));
  if (!takesArguments && leadsOn(path, paths) && word !== undefined && !word.startsWith('-')) {
    throw unknownCommand(path, word, paths);
  }
  if (json && !command && asks !== 'help') {
    throw new AppError('usage', `msgsite ${path} needs a command.`, { hint: hintFor(path) });
  }

  const help: string[] = [];
  const out = json ? { write: (text: string) => help.push(text) } : stdout;
  const { program, leaf } = buildProgram(registry, { path, command, stdout: out, stderr });
  let input: CommandInput | undefined;
  if (command) {
    leaf.action(() => {
      input = inputOf(leaf);
    });
  }
  const finish = (exitCode: number): number => {
    if (json) stdout.write(`${JSON.stringify({ help: help.join('') }, undefined, 2)}\n`);
    return exitCode;
  };
  // The flags of the program also count for a group, which has none of its own.
  const words = command ? rest : rest.filter((each) => !rootFlags.includes(each));
  try {
    const own = path === '' ? [] : path.split(' ');
    program.parse([...own, ...(asks === 'help' ? ['--help'] : words)], { from: 'user' });
  } catch (error) {
    if (!asksForHelp(leaf, words, command, isFile)) return finish(answerTo(error, path));
  }
  if (command && asksForHelp(leaf, words, command, isFile)) {
    leaf.outputHelp();
    return finish(exitCodes.done);
  }
  if (command && input) return { command, input };
  throw new AppError('usage', 'These words call no command.', { hint: hintFor(path) });
}

/** Returns the parsed words of a command without the defaults that commander adds for `--no-…`. */
function inputOf(leaf: Commander): CommandInput {
  const given = Object.entries(leaf.opts()).filter(
    ([name]) => leaf.getOptionValueSource(name) === 'cli',
  );
  return { arguments: leaf.processedArgs, options: Object.fromEntries(given) };
}

/**
 * Returns whether an argument is the word `help`. It names a file where the command takes files and there is one;
 * after `--` it is an argument like any other.
 */
function asksForHelp(
  { args }: Commander,
  words: readonly string[],
  command: Command | undefined,
  isFile: Surroundings['isFile'],
): boolean {
  const end = words.indexOf('--');
  const typed = end < 0 ? words : words.slice(0, end);
  if (!typed.includes('help') || !args.includes('help')) return false;
  return !(command?.arguments?.some(({ name }) => /file/.test(name)) && isFile('help'));
}

function hintFor(path: string): string {
  return `See msgsite ${path === '' ? '' : `${path} `}--help.`;
}

function unknownCommand(path: string, word: string, paths: ReadonlySet<string>): AppError {
  const prefix = path === '' ? '' : `${path} `;
  const names = [...paths]
    .filter((other) => other.startsWith(prefix) && !other.startsWith('_'))
    .map((other) => other.slice(prefix.length).split(' ')[0] ?? '');
  const elsewhere = [...paths].find((other) => other.endsWith(` ${word}`));
  const near = nearest(word, [...new Set(names), 'help']) ?? elsewhere;
  const suggestion = near === undefined ? '.' : ` (Did you mean ${near}?)`;
  return new AppError('usage', `Unknown command '${prefix}${word}'${suggestion}`, {
    hint: hintFor(path),
  });
}

interface Program extends Omit<Surroundings, 'isFile'> {
  /** The command or group that is called, and the loaded command. */
  readonly path: string;
  readonly command: Command | undefined;
}

/** Describes all commands to commander, the loaded one with its flags and arguments. */
function buildProgram({ commands, groups }: Registry, called: Program) {
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
  // Last, because commands inherit what is set before they are added.
  for (const { flags, description } of commonOptions) program.option(flags, description);
  program
    .description('Messaging, site content and a payment gateway for a small business.')
    .option(versionOption.flags, versionOption.description)
    .helpOption(helpOption.flags, 'show help; also for each command')
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
function answerTo(error: unknown, path: string): number {
  if (!(error instanceof CommanderError)) throw error;
  const asked = ['commander.help', 'commander.helpDisplayed'];
  // A group that is called without a command shows its help, but that is not what was meant.
  if (asked.includes(error.code)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  // Commander's suggestion is on a line of its own; messages have only one line, and would show the break escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint: hintFor(path), cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
