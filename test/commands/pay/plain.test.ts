import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../../commands/registry.js';
import { run } from '../../../commands/run.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
});
afterAll(() => cli.remove());

/** Pairs of a prompt and the answer that is typed when it appears. Each pair is used once and in order. */
type Answers = readonly (readonly [RegExp, string])[];

/** Runs `msgsite pay …` with terminals as streams, and types the answers. */
async function talk(
  words: readonly string[],
  answers: Answers = [],
  more: Readonly<Record<string, string>> = {},
) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  let answered = 0;
  let from = 0;
  const screen = () =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          shown += chunk.toString('utf8');
          const next = answers[answered];
          if (next?.[0].test(shown.slice(from))) {
            answered += 1;
            from = shown.length;
            stdin.write(`${next[1]}\n`);
          }
          done();
        },
      }),
      { isTTY: true, columns: 80, rows: 24 },
    );
  const options = {
    argv: ['pay', ...words],
    stdin,
    stdout: screen(),
    stderr: screen(),
    env: { ...cli.env, ...more },
    cwd: cli.folder,
    signal: new AbortController().signal,
  };
  const exitCode = await run(options, registry);
  expect(answered).toBe(answers.length);
  return { exitCode, shown };
}

/** Matches every terminal command except colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character.
const command = /\u001b(?!\[[\d;]*m)|\r/;

describe('plain mode', () => {
  it.each([
    ['--plain', {}],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])(
    'with %s reports a payment as lines, with its link instead of a QR code',
    async (flag, env) => {
      const words = flag.startsWith('--') ? ['qr', flag] : ['qr'];
      const answers = [
        [/Amount in tenge: $/, 'nothing'],
        [/"nothing" is not a valid amount[\s\S]*Amount in tenge: $/, '1500'],
      ] as const;
      const { exitCode, shown } = await talk(words, answers, env);
      expect(exitCode, shown).toBe(0);
      expect(shown).toMatch(
        /Link {5}https:\/\/\S+\n[\s\S]*○ Waiting for the customer[\s\S]*✓ PAID/,
      );
      expect(shown).not.toMatch(command);
      expect(shown).not.toMatch(/[▀▄█⠋⠙]/);
    },
  );

  it('prints the confirmation prompt for an invoice on one line', async () => {
    const words = ['invoice', '--plain', '--phone', '87015554433', '--amount', '1500'];
    const no = await talk(words, [[/\[Y\/n\] $/, 'n']]);
    expect(no).toMatchObject({ exitCode: 1, shown: expect.stringContaining('Nothing was sent.') });
    const yes = await talk(words, [[/\[Y\/n\] $/, '']]);
    expect(yes.exitCode, yes.shown).toBe(0);
    expect(yes.shown).not.toMatch(command);
  });

  it('prints the sign-in prompts as lines and hides the code', async () => {
    const answers = [
      [/phone: $/, '87011234567'],
      [/Code from the SMS: $/, '000111'],
      [/The code is wrong[\s\S]*Code from the SMS: $/, '123456'],
    ] as const;
    const { exitCode, shown } = await talk(['login', '--plain'], answers);
    expect(exitCode, shown).toBe(0);
    expect(shown).not.toMatch(/000111|123456/);
    expect(shown).not.toMatch(command);
  });
});

describe('a command with missing arguments', () => {
  it.each([['qr'], ['invoice'], ['refund', '1']])(
    'does not prompt without a session: pay %s',
    async (...words) => {
      const { exitCode, shown } = await talk([...words, '--plain', '--session', 'nobody.json']);
      expect(exitCode).toBe(4);
      expect(shown).toMatch(/^\S*Error:\S* Nobody is signed in\./);
    },
  );

  it.each([
    ['qr', '--amount', 'some'],
    ['invoice', '--phone', '12'],
    ['refund', '1', '--amount', '-1'],
  ])('does not prompt if an argument is invalid: pay %s %s %s', async (...words) => {
    const { exitCode } = await talk([...words, '--plain', '--session', 'nobody.json']);
    expect(exitCode).toBe(2);
  });
});

describe('a refund in plain mode', () => {
  it('suggests the remaining amount and rejects a larger one', async () => {
    const { paymentId } = (await cli.json('qr 1500')).document;
    await cli.run(`refund ${paymentId} --amount 500 --yes`);
    const more = await talk(['refund', paymentId, '--amount', '1000,01', '--plain']);
    expect(more.exitCode).toBe(1);
    expect(more.shown).toContain('1 000,01 ₸ cannot be refunded. The refundable amount of payment');
    expect(more.shown).not.toContain('[y/N]');
    const answers = [
      [/Amount in tenge \[1 000\]: $/, '2000'],
      [/2 000 ₸ cannot be refunded[\s\S]*: $/, ''],
      [/Return 1 000 ₸ of 1 500 ₸ \(500 ₸ already returned\).*\[y\/N\] $/, 'y'],
    ] as const;
    const rest = await talk(['refund', paymentId, '--plain'], answers);
    expect(rest.exitCode, rest.shown).toBe(0);
    const none = await talk(['refund', paymentId, '--plain']);
    expect(none.exitCode).toBe(1);
    expect(none.shown).toContain('has already been refunded in full');
  });
});

it('pay payments marks an overdue open payment as possibly expired if no process watches it', async () => {
  const clock = createManualClock();
  const at = { env: { MSGSITE_SANDBOX_SPEED: '1' }, clock };
  await cli.run('login --phone 87011234567 --otp 123456 --data watched', at);
  await cli.run('qr 1506 --no-wait --data watched', at);
  const { document: fresh } = await cli.json('payments --data watched', at);
  expect(fresh.payments[0]).not.toHaveProperty('maybeExpired');
  const later = { ...at, clock: createManualClock(clock.now() + 3_600_000) };
  const { document } = await cli.json('payments --data watched', later);
  expect(document.payments).toMatchObject([{ state: 'open', maybeExpired: true }]);
  expect((await cli.run('payments --data watched', later)).stdout).toContain('expired?');
});
