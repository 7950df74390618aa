import { stripVTControlCharacters } from 'node:util';
import headless from '@xterm/headless';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { createPayCli, type PayCli } from './pay/pay-cli.js';

const made = 24;
const window = { columns: 80, rows: 24 };

let cli: PayCli;
/** The IDs of the payments, newest first. */
let ids: string[];
beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
  for (let count = 0; count < made; count++) {
    const { exitCode, stderr } = await cli.run(`qr --amount ${1500 + count * 100} --no-wait`);
    if (exitCode !== 0) throw new Error(stderr);
  }
  const { document } = await cli.json('payments');
  ids = document.payments.map(({ paymentId }: { paymentId: string }) => String(paymentId));
});
afterAll(() => cli.remove());

/** Returns the text in a window after the command has exited and the prompt has appeared. */
async function seen(words: string, size = window) {
  const call = { cwd: cli.folder, env: cli.env, window: size };
  const { exitCode, stdout, stderr } = await runCli(words.split(' '), call);
  expect(exitCode, stderr).toBe(0);
  const screen = new headless.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
  });
  const printed = `$ msgsite ${words}\n${stdout}${stderr}$ `.replaceAll('\n', '\r\n');
  await new Promise<void>((resolve) => screen.write(printed, resolve));
  const { active } = screen.buffer;
  const lines = Array.from({ length: size.rows }, (_, row) =>
    (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
  );
  return { lines, stderr, printed: stripVTControlCharacters(stdout).trimEnd().split('\n') };
}

describe('a list on a terminal', () => {
  it.each(['pay payments', 'pay history'])(
    '`%s` shows as many rows as fit below the titles, and reports that there are more',
    async (words) => {
      const { lines, printed, stderr } = await seen(words);
      expect(lines[0]).toBe(`$ msgsite ${words}`);
      expect(lines[1]).toMatch(/ID.* AMOUNT/);
      expect(lines[2]).toContain(ids[0]);
      expect(printed).toHaveLength(20);
      expect(stderr).toContain('Only the newest 19 are shown; --limit 0 shows all.');
    },
  );

  it.each(['pay payments --limit 0', 'pay history --limit 0'])(
    '`%s` prints all rows, and ends with the newest and the titles',
    async (words) => {
      const { lines, printed } = await seen(words);
      expect(printed).toHaveLength(made + 2);
      expect(printed[1]).toContain(ids.at(-1));
      const titles = lines.findLastIndex((line) => /ID.* AMOUNT/.test(line));
      expect(lines[titles - 1]).toContain(ids[0]);
      expect(lines.slice(titles + 1).filter((line) => line.includes('₸'))).toEqual([]);
    },
  );

  it('`audit` ends with its newest entry and keeps the titles visible', async () => {
    const some = await seen('audit --kind qr');
    expect(some.lines.find((line) => line.startsWith('TIME'))).toBeDefined();
    expect(some.printed.filter((line) => line.startsWith('20'))).toHaveLength(19);
    const all = await seen('audit --kind qr --limit 0');
    expect(all.printed.at(-1)).toMatch(/^TIME +KIND/);
    expect(all.printed.at(-2)).toMatch(/^20.* 3 800/);
  });

  it('`pay payments` shows more rows in a tall window and five rows in a very short window', async () => {
    expect((await seen('pay payments', { columns: 120, rows: 60 })).printed).toHaveLength(made + 1);
    expect((await seen('pay payments', { columns: 80, rows: 6 })).printed).toHaveLength(5 + 2);
  });

  it('`pay payments --json` prints all payments as JSON', async () => {
    const { printed } = await seen('pay payments --json');
    expect(JSON.parse(printed.join('\n')).payments).toHaveLength(made);
  });
});

it('a list in a pipe has one line of titles and the newest row first, even with --limit 0', async () => {
  for (const words of ['payments', 'payments --limit 0', 'history']) {
    const lines = (await cli.run(words)).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(made + 1);
    expect(lines[1]).toContain(ids[0]);
  }
});
