import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../commands/command.js';
import { commonOptions } from '../../commands/common-options.js';
import { parseWithCommander } from '../../commands/parse-with-commander.js';
import { readWords } from '../../commands/read-words.js';
import { commands } from '../../commands/registry.js';

const loaded = await Promise.all(
  commands.map(async (wanted) => ({ wanted, definition: (await wanted.load()).command })),
);

const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** What commander makes of the same words, or undefined where it refuses or answers by itself. */
async function withCommander(
  call: (typeof loaded)[number],
  words: readonly string[],
): Promise<unknown> {
  const streams = { stdout: silent(), stderr: silent() };
  const argv = [...call.wanted.path.split(' '), ...words];
  const parsed = await parseWithCommander(argv, streams, call).catch(() => undefined);
  return parsed?.kind === 'command' ? parsed.input : undefined;
}

/** Words that a person might type: the command's flags, their values, files, and nonsense. */
function someWords({ options = [] }: Command): fc.Arbitrary<readonly string[]> {
  const flags = [...options, ...commonOptions].flatMap(({ flags: text, choices = [] }) => [
    ...text.split(/[ ,]+/).filter((word) => word.startsWith('-')),
    ...choices,
  ]);
  const others = ['-', '--', '-1', '', '5', 'a.json', 'b', '--help', '--what', '--json=1'];
  const word = fc.oneof(
    fc.constantFrom(...flags, ...others),
    fc.constantFrom(...flags).map((flag) => `${flag}=5`),
  );
  return fc.array(word, { maxLength: 6 });
}

describe.each(loaded.map((call) => [call.wanted.path, call] as const))('%s', (_path, call) => {
  it('is read as commander reads it, wherever it is read at all', async () => {
    await fc.assert(
      fc.asyncProperty(someWords(call.definition), async (words) => {
        const read = readWords(call.definition, words);
        if (read !== undefined) expect(read).toEqual(await withCommander(call, words));
      }),
      { numRuns: 150 },
    );
  });

  it('is read without commander where the words are plain', () => {
    const required = (call.definition.arguments ?? []).filter(({ name }) => name.startsWith('<'));
    expect(
      readWords(
        call.definition,
        required.map(() => 'x'),
      ),
    ).toBeDefined();
    expect(readWords(call.definition, [...required.map(() => 'x'), '--json'])).toMatchObject({
      options: { json: true },
    });
  });
});
