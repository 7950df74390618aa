import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../commands/command.js';
import { parse } from '../../commands/parse.js';
import type { Registry } from '../../commands/route.js';

const sell: Command = {
  arguments: [
    { name: '<amount>', description: 'tenge' },
    { name: '[notes...]', description: 'more' },
  ],
  options: [
    { flags: '-p, --port <number>', description: 'a port' },
    { flags: '-d, --dry-run', description: 'nothing is done' },
    { flags: '--no-wait', description: 'do not wait' },
    { flags: '--header <text>', description: 'a header', repeatable: true },
    { flags: '--state <state>', description: 'a state', choices: ['open', 'ended'] },
  ],
  examples: [{ command: 'msgsite sell 5', description: 'Sell' }],
  run: async () => undefined,
};
const check: Command = {
  arguments: [{ name: '[files...]', description: 'files' }],
  examples: [],
  run: async () => undefined,
};
const registry: Registry = {
  groups: { pay: 'money' },
  commands: [
    { path: 'sell', summary: 'sells', hidden: false, load: async () => sell },
    { path: 'check', summary: 'checks', hidden: false, load: async () => check },
    { path: 'pay qr', summary: 'shows a code', hidden: false, load: async () => sell },
    { path: '__ask', summary: 'answers programs', hidden: true, load: async () => check },
  ],
};

async function call(words: string, files: readonly string[] = []) {
  const printed: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      printed.push(String(chunk));
      done();
    },
  });
  const argv = words === '' ? [] : words.split(' ');
  const isFile = (name: string) => files.includes(name);
  const result = await parse(argv, registry, { stdout: stream, stderr: stream, isFile });
  return { result, printed: printed.join('') };
}

const failure = (words: string) =>
  call(words).then(
    ({ result }) => result,
    (error) => error,
  );

describe('parse', () => {
  it.each([
    ['sell 5', ['5', []], {}],
    ['sell 5 a b', ['5', ['a', 'b']], {}],
    ['sell -1.5 --port=80', ['-1.5', []], { port: '80' }],
    ['sell -p 80 5 --dry-run', ['5', []], { port: '80', dryRun: true }],
    ['sell -dp80 5', ['5', []], { port: '80', dryRun: true }],
    ['sell --no-wait 5', ['5', []], { wait: false }],
    ['sell 5 --header a --header b', ['5', []], { header: ['a', 'b'] }],
    ['sell --port 1 --port 2 5', ['5', []], { port: '2' }],
    ['sell 5 --state open --json', ['5', []], { state: 'open', json: true }],
    ['--json pay --verbose qr 5', ['5', []], { json: true, verbose: true }],
    ['sell -- --port help', ['--port', ['help']], {}],
    ['sell --port help 5', ['5', []], { port: 'help' }],
    ['check -', [['-']], {}],
  ])('parses the arguments and flags of `%s`', async (words, args, options) => {
    expect((await call(words)).result).toMatchObject({ input: { arguments: args, options } });
    const { result } = await call(words);
    expect(typeof result === 'object' && result.input.options).toEqual(options);
  });

  it.each([
    ['sell', "Missing required argument 'amount'."],
    ['sell 5 --port', "Option '-p, --port <number>' argument missing."],
    ['sell 5 --prt 1', "Unknown option '--prt' (Did you mean --port?)"],
    ['sell 5 --dry-run=1', "Unknown option '--dry-run=1' (Did you mean --dry-run?)"],
    [
      'sell 5 --state lost',
      "Option '--state <state>' argument 'lost' is invalid. Allowed choices are open, ended.",
    ],
    ['sel', "Unknown command 'sel' (Did you mean sell?)"],
    ['pay qrr', "Unknown command 'pay qrr' (Did you mean qr?)"],
    ['qr', "Unknown command 'qr' (Did you mean pay qr?)"],
    ['pay --json', 'msgsite pay requires a command.'],
  ])('rejects `%s`: %s', async (words, message) => {
    expect(await failure(words)).toMatchObject({ code: 'usage', message });
  });

  it.each([['sell --help'], ['sell help'], ['help sell'], ['sell 5 help'], ['sell --prt help']])(
    'prints the help of the command for `%s`',
    async (words) => {
      const { result, printed } = await call(words);
      expect([result, printed.split('\n', 1)]).toEqual([
        0,
        ['Usage: msgsite sell [options] <amount> [notes...]'],
      ]);
    },
  );

  it('treats `help` as a file name if the command takes files and that file exists', async () => {
    expect((await call('check help')).result).toBe(0);
    expect((await call('check help', ['help'])).result).toMatchObject({
      input: { arguments: [['help']] },
    });
  });

  it('prints the help of a group without a command, with exit code 2', async () => {
    const { result, printed } = await call('pay');
    expect(result).toBe(2);
    expect(printed).toContain('shows a code');
  });

  it('lists no hidden commands, and prints the help as JSON with --json', async () => {
    const { result, printed } = await call('--help --json');
    expect(result).toBe(0);
    const { help } = JSON.parse(printed);
    expect(help).toContain('sells');
    expect(help).not.toContain('__ask');
  });
});
