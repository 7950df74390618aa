import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../../helpers/msgsite-process.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

const esc = '\u001b';

/** A shop with a separate bank. */
interface Shop {
  readonly bank: SandboxBank;
  readonly cli: PayCli;
  /** The variable for the gateway if it is a separate process. */
  readonly env: Readonly<Record<string, string>>;
}

const shops = new Map<string, Shop>();
const servers: ChildProcess[] = [];
let terminal: Terminal;

async function openShop(faults: readonly string[], isServed = false): Promise<Shop> {
  const bank = await openSandboxBank();
  const cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await bank.disturb({ faults });
  const serving = isServed ? await startServe([], { cwd: cli.folder, env: cli.env }) : undefined;
  if (serving) servers.push(serving.child);
  const env = serving ? { MSGSITE_GATEWAY: serving.gateway } : {};
  for (const words of ['login --phone 87011234567 --otp 123456', 'qr --amount 1500']) {
    const { exitCode, stderr } = await cli.run(words, { env });
    if (exitCode !== 0) throw new Error(stderr);
  }
  return { bank, cli, env };
}

beforeAll(async () => {
  shops.set('an idempotent bank', await openShop([]));
  shops.set('a bank that is not idempotent', await openShop(['not-idempotent']));
  shops.set('the bank of a remote gateway', await openShop([], true));
});
afterEach(async () => {
  terminal?.kill();
  for (const { bank } of shops.values()) await bank.disturb({});
});
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL');
  for (const { bank, cli } of shops.values()) {
    await bank.close();
    await cli.remove();
  }
});

function shopOf(name: string): Shop {
  const shop = shops.get(name);
  if (!shop) throw new Error(`No shop: ${name}`);
  return shop;
}

/** Opens a till in a window that is tall enough for everything that it prints on exit. */
async function openTill({ cli, env }: Shop): Promise<Terminal> {
  const window = { columns: 120, rows: 40 };
  const options = { cwd: cli.folder, env: { ...cli.env, ...env }, ...window };
  terminal = openTerminal(['pay', 'till'], options);
  await terminal.waitFor(/^ *Amount$/m);
  return terminal;
}

/** Waits until the bank has received the call, to which it never responds. */
async function untilHanging({ bank }: Shop): Promise<void> {
  while ((await bank.hangsLeft()) > 0) await sleep(20);
}

/** Types keys and waits for a text on the screen after each of them. */
async function typeAll(steps: Steps): Promise<void> {
  for (const [keys, shows] of steps) {
    terminal.type(keys);
    await terminal.waitFor(shows);
  }
}

type Steps = readonly (readonly [keys: string, shows: RegExp])[];

interface Action {
  readonly operation: string;
  readonly steps: (amount: number) => Steps;
  readonly said: RegExp;
}

const actions: readonly (readonly [string, Action])[] = [
  [
    'a code is requested',
    {
      operation: 'qr/create',
      steps: (amount) => [[`${amount}\r`, /Requesting the code from the bank/]],
      said: /not known whether a code for 7\d ₸ was created[\s\S]+nobody can pay it/,
    },
  ],
  [
    'an invoice is sent',
    {
      operation: 'invoices/create',
      steps: (amount) => [
        ['i', /Customer’s phone:/],
        ['87015554433\r', /Invoice to/],
        [`${amount}\r`, /Sending the invoice/],
      ],
      said: /not known whether the invoice for 7\d ₸ was sent/,
    },
  ],
  [
    'money is returned',
    {
      operation: 'refunds/create',
      steps: (amount) => [
        ['r', /› +1 +[\d\s]+ ₸/],
        ['\r', /Press y to return/],
        [`${amount}y`, /Returning 7\d ₸/],
      ],
      said: /not known whether 7\d ₸ of payment \d+ were returned[\s\S]+msgsite pay refund \d+ --amount 7\d/,
    },
  ],
];

const storing = ['an idempotent bank', 'a bank that is not idempotent'];

describe.each(storing)('Ctrl+C while %s hangs', (name) => {
  it.each(actions)('reports and stores the request in doubt while %s', async (_, action) => {
    const shop = shopOf(name);
    const { type, text, exit } = await openTill(shop);
    await shop.bank.disturb({ faults: [`hang@${action.operation} x1`] });
    await typeAll(action.steps(77));
    await untilHanging(shop);
    type('\u0003');
    expect(await exit()).toBe(130);
    expect(text()).toMatch(action.said);
    expect(text()).toContain('List requests in doubt: msgsite pay payments --state in_doubt');
    expect(text()).not.toMatch(/stor(ed|age)|closed/);
    const { document } = await shop.cli.json('payments --state in_doubt');
    expect(document.payments).not.toEqual([]);
    const next = await openTill(shop);
    const { length } = document.payments;
    await next.waitFor(
      new RegExp(`^. ${length} in doubt: msgsite pay payments --state in_doubt$`, 'm'),
    );
  });
});

const all = [...storing, 'the bank of a remote gateway'];

describe.each(all)('Ctrl+C while %s hangs', (name) => {
  it.each(actions)(
    'reports the request in doubt while %s after the screen was closed with Esc',
    async (_, action) => {
      const shop = shopOf(name);
      const { type, text, exit, waitFor } = await openTill(shop);
      await shop.bank.disturb({ faults: [`hang@${action.operation} x1`] });
      await typeAll(action.steps(78));
      await untilHanging(shop);
      type(esc);
      await waitFor(/^ *Amount$/m);
      type('\u0003');
      expect(await exit()).toBe(130);
      expect(text()).toMatch(action.said);
      expect(text()).not.toMatch(/stor(ed|age)|closed/);
    },
  );
});
