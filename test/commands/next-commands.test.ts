import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextCommand } from '../../commands/next-command.js';
import { createPayCli, type PayCli } from './pay/pay-cli.js';

describe('nextCommand', () => {
  it('repeats only the flags that the command accepts, quoted for the shell', () => {
    const options = {
      data: "./my shop's data",
      session: '-odd',
      provider: 'http://127.0.0.1:9',
      amount: '1500',
    };
    expect(nextCommand({ options }, 'pay wait', ['7'])).toBe(
      "msgsite pay wait 7 --data './my shop'\\''s data' --provider http://127.0.0.1:9 --session=-odd",
    );
    expect(nextCommand({ options }, 'data check')).toBe(
      "msgsite data check --data './my shop'\\''s data'",
    );
  });

  it('does not contain the database password', () => {
    const options = { database: 'postgres://till:hunter2@db.example/shop' };
    const next = nextCommand({ options }, 'pay wait', ['7']);
    expect(next).not.toContain('hunter2');
    expect(next).toContain('db.example/shop');
  });
});

describe('the commands to run next', () => {
  let cli: PayCli;
  beforeAll(async () => {
    cli = await createPayCli();
  });
  afterAll(() => cli.remove());

  it.each([
    ['login --phone 87011234567', 'msgsite pay login --process \\S+ --otp CODE'],
    ['status', 'msgsite pay login'],
    ['wait 99', 'msgsite pay payments'],
  ])(
    '`pay %s` prints a command to run next with the same folder and session',
    async (words, next) => {
      const { stdout, stderr } = await cli.run(`${words} --data other --session "a file"`);
      expect(stdout + stderr).toMatch(new RegExp(`${next} --data other --session 'a file'`));
    },
  );

  it('a payment that stays open prints a wait command with its folder and session', async () => {
    const flags = '--data other --session mine';
    await cli.run(`login --phone 87011234567 --otp 123456 ${flags}`);
    const { stderr } = await cli.run(
      `invoice --phone 87011234567 --amount 1506 --timeout 0.1 ${flags}`,
      {
        env: { MSGSITE_SANDBOX_SPEED: '1' },
      },
    );
    expect(stderr).toMatch(/msgsite pay wait \d+ --data other --session mine/);
    expect(stderr).toMatch(/msgsite pay invoice cancel \d+ --data other --session mine/);
    const slow = { env: { MSGSITE_SANDBOX_SPEED: '1' } };
    const made = await cli.run(`qr 1500 --no-wait ${flags}`, slow);
    expect(made.stderr).toMatch(
      /^To wait for it, run: msgsite pay wait \d+ --data other --session mine\n$/,
    );
    const listed = await cli.run(`payments ${flags}`, slow);
    expect(listed.stderr).toBe(
      'No process watches open payments. Run msgsite serve, or run: msgsite pay wait ID --data other --session mine\n',
    );
  });
});
