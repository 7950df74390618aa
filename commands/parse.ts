import type { Writable } from 'node:stream';
import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/errors.js';
import type { Command, CommandInput, OptionDefinition } from './command.js';
import { commands, groups, type RegisteredCommand } from './registry.js';
import { packageVersion } from './version.js';

/** Either commander has already answered (help, version), or there is a command to run. */
export type ParsedCall =
  | { readonly kind: 'answered'; readonly exitCode: number }
  | { readonly kind: 'command'; readonly command: Command; readonly input: CommandInput };

interface Streams {
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable & { readonly columns?: number };
}

/** Flags that every command takes. */
export const commonOptions: readonly OptionDefinition[] = [
  { flags: '--json', description: 'print one JSON document on stdout' },
  { flags: '--verbose', description: 'show the stack of an unexpected error' },
];

/**
 * Turns the words of the command line into a command and its input. Only the command that is asked
 * for is loaded. Wrong words are a `usage` error that suggests the nearest right ones.
 */
export async function parse(argv: readonly string[], streams: Streams): Promise<ParsedCall> {
  const wanted = findCommand(argv);
  const definition = wanted && (await wanted.load()).command;
  const calls: ParsedCall[] = [];
  const program = buildProgram(streams, (commander, registered) => {
    if (registered === wanted && definition) {
      addDefinition(commander, definition, (input) => {
        calls.push({ kind: 'command', command: definition, input });
      });
    }
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    return answerOf(error);
  }
  return calls[0] ?? { kind: 'answered', exitCode: exitCodes.usage };
}

/**
 * The longest registered path that the words start with (flags before it are passed over). What
 * follows the first flag after it are values: `pay invoice --comment show` is no `pay invoice show`.
 */
function findCommand(argv: readonly string[]): RegisteredCommand | undefined {
  const words = argv.slice(argv.findIndex((word) => !word.startsWith('-')));
  const flag = words.findIndex((word) => word.startsWith('-'));
  const leading = flag === -1 ? words : words.slice(0, flag);
  const asked = leading[0] === 'help' ? leading.slice(1) : leading;
  return [...commands]
    .sort((a, b) => b.path.length - a.path.length)
    .find(({ path }) => path.split(' ').every((part, index) => asked[index] === part));
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
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
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
    called({ arguments: commander.processedArgs, options: commander.opts() });
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
  // commander presets `--no-x` flags to x = true; an absent flag must stay absent.
  if (option.negate) option.default(undefined);
  return option;
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
  const message = error.message.replace(/^error: /, '');
  throw new AppError('usage', sentence(message), { hint: 'See msgsite --help.', cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
