import { Writable } from 'node:stream';
import type { Command as Commander } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandInput, commonOptions } from '../../commands/command.js';
import { buildProgram } from '../../commands/explain.js';
import { readWords } from '../../commands/parse.js';
import { commands } from '../../commands/registry.js';

const loaded = await Promise.all(
  commands.map(async ({ path, load }) => ({ path, command: (await load()).command })),
);
type Loaded = (typeof loaded)[number];

const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Returns how commander parses words after a command, or undefined if it refuses them or prints help. */
function commanderOf(call: Loaded) {
  const program = buildProgram({ stdout: silent(), stderr: silent() }, call);
  const path = call.path.split(' ');
  const find = (parent: Commander, name: string) =>
    parent.commands.find((command) => command.name() === name) as Commander; // The command is registered.
  const leaf = path.reduce(find, program);
  let options: Record<string, CommandInput['options'][string]>;
  for (const option of leaf.options) {
    const key = option.attributeName();
    const { repeatable } = call.command.options?.find(({ flags }) => flags === option.flags) ?? {};
    leaf.on(`option:${option.name()}`, (value: string | undefined) => {
      const before = options[key];
      if (repeatable) options[key] = [...(Array.isArray(before) ? before : []), String(value)];
      else options[key] = value ?? !option.negate;
    });
  }
  let input: CommandInput | undefined;
  leaf.action(() => {
    input = { arguments: leaf.processedArgs, options };
  });
  return (words: readonly string[]) => {
    options = {};
    input = undefined;
    try {
      program.parse([...path, ...words], { from: 'user' });
    } catch {
      return undefined;
    }
    return input;
  };
}

/** Generates words that a person might type: the command's flags, their values, files, and nonsense. */
function someWords({ options = [] }: Command): fc.Arbitrary<readonly string[]> {
  const flags = [...options, ...commonOptions].flatMap(({ flags: text, choices = [] }) => [
    ...text.split(/[ ,]+/).filter((word) => word.startsWith('-')),
    ...choices,
  ]);
  const others = [
    '-',
    '--',
    '-1',
    '-1.5e3',
    '',
    '5',
    'a.json',
    'b',
    '--help',
    '--what',
    '--json=1',
  ];
  const word = fc.oneof(
    fc.constantFrom(...flags, ...others),
    fc.constantFrom(...flags).map((flag) => `${flag}=5`),
    fc.constantFrom(...flags).map((flag) => `${flag}x`),
  );
  return fc.array(word, { maxLength: 6 });
}

describe.each(loaded.map((call) => [call.path, call] as const))('%s', (_path, call) => {
  it('is parsed exactly as commander parses it', () => {
    const withCommander = commanderOf(call);
    fc.assert(
      fc.property(someWords(call.command), (words) => {
        expect(readWords(call.command, words)).toEqual(withCommander(words));
      }),
      { numRuns: 150 },
    );
  });
});
