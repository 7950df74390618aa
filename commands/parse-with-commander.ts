import type { Writable } from 'node:stream';
import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import type { Command, CommandInput, OptionDefinition } from './command.js';
import { commonOptions } from './common-options.js';
import { commands, groups, type RegisteredCommand } from './registry.js';
import { packageVersion } from './version.js';

/** Either the words were answered already (help, version), or there is a command to run. */
export type ParsedCall =
  | { readonly kind: 'answered'; readonly exitCode: number }
  | { readonly kind: 'command'; readonly command: Command; readonly input: CommandInput };

/** Where help and the version are printed. */
export interface Streams {
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable & { readonly columns?: number };
}

/** A command that is loaded. */
interface LoadedCommand {
  readonly wanted: RegisteredCommand;
  readonly definition: Command;
}

/** Reads the words with commander, which also answers help and version and explains mistakes. */
export async function parseWithCommander(
  argv: readonly string[],
  streams: Streams,
  loaded: LoadedCommand | undefined,
): Promise<ParsedCall> {
  const calls: ParsedCall[] = [];
  const program = buildProgram(streams, (commander, registered) => {
    if (registered === loaded?.wanted) {
      const { definition } = loaded;
      addDefinition(commander, definition, (input) => {
        calls.push({ kind: 'command', command: definition, input });
      });
    }
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    return answerOf(error);
  }
  return calls[0] ?? { kind: 'answered', exitCode: exitCodes.usage };
}

type Visit = (commander: Commander, registered: RegisteredCommand) => void;

function buildProgram(streams: Streams, visit: Visit): Commander {
  const program = configure(new Commander('msgsite'), streams)
    .description('Messaging, site content and a payment gateway for a small business.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; also for each command')
    .helpCommand('help [command...]', 'show help for a command')
    .showSuggestionAfterError(true);
  for (const registered of commands) {
    const parent = parentOf(program, registered.path, streams);
    const name = registered.path.split(' ').at(-1) ?? registered.path;
    const commander = configure(new Commander(name), streams).description(registered.summary);
    parent.addCommand(commander);
    visit(commander, registered);
  }
  return program;
}

function parentOf(program: Commander, path: string, streams: Streams): Commander {
  return path
    .split(' ')
    .slice(0, -1)
    .reduce((parent, name) => {
      const known = parent.commands.find((command) => command.name() === name);
      if (known) return known;
      const group = configure(new Commander(name), streams).description(groups[name] ?? '');
      parent.addCommand(group);
      return group;
    }, program);
}

function configure(commander: Commander, { stdout, stderr }: Streams): Commander {
  // Positional: the flags after `pay invoice show` are those of `show`, not of `pay invoice`.
  return commander
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns || 80,
      getErrHelpWidth: () => stderr.columns || 80,
    });
}

function addDefinition(
  commander: Commander,
  definition: Command,
  called: (input: CommandInput) => void,
): void {
  for (const { name, description } of definition.arguments ?? []) {
    commander.argument(name, description);
  }
  for (const option of [...(definition.options ?? []), ...commonOptions]) {
    commander.addOption(toOption(option));
  }
  if (definition.description) commander.description(definition.description);
  commander.addHelpText('after', exampleText(definition));
  commander.action(() => {
    called({ arguments: commander.processedArgs, options: givenOptions(commander) });
  });
}

function toOption({ flags, description, choices, repeatable }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (choices) option.choices([...choices]);
  if (repeatable) {
    option.argParser((value: string, previous: readonly string[] | undefined) => [
      ...(previous ?? []),
      value,
    ]);
  }
  return option;
}

/** Without commander's presets: it takes a `--no-x` flag that nobody gave for x = true. */
function givenOptions(commander: Commander): CommandInput['options'] {
  const values: CommandInput['options'] = commander.opts();
  const given = Object.entries(values).filter(
    ([name]) => commander.getOptionValueSource(name) === 'cli',
  );
  return Object.fromEntries(given);
}

function exampleText({ examples }: Command): string {
  if (examples.length === 0) return '';
  const lines = examples.map(({ command, description }) => `  # ${description}\n  $ ${command}`);
  return `\nExamples:\n${lines.join('\n\n')}`;
}

function answerOf(error: unknown): ParsedCall {
  if (!(error instanceof CommanderError)) throw error;
  const asked = ['commander.help', 'commander.helpDisplayed', 'commander.version'];
  if (asked.includes(error.code)) {
    // A group called without a command shows its help, which is an answer but not what was meant.
    return { kind: 'answered', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  }
  // Commander's suggestion has a line of its own; messages are one, and a break in it would be escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint: 'See msgsite --help.', cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
