import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../../helpers/msgsite-process.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

const esc = '\u001b';

/** A till with its own bank. */
interface Place {
  readonly bank: SandboxBank;
  readonly cli: PayCli;
  /** The flag for the gateway, if it is a separate process. */
  readonly env: Readonly<Record<string, string>>;
}

const places = new Map<string, Place>();
const servers: ChildProcess[] = [];
let terminal: Terminal;

async function openPlace(faults: readonly string[], isServed = false): Promise<Place> {
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
  places.set('an idempotent bank', await openPlace([]));
  places.set('another bank', await openPlace(['not-idempotent']));
  places.set('the bank of a gateway elsewhere', await openPlace([], true));
});
afterEach(async () => {
  terminal?.kill();
  for (const { bank } of places.values()) await bank.disturb({});
});
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL');
  for (const { bank, cli } of places.values()) {
    await bank.close();
    await cli.remove();
  }
});

function placeOf(name: string): Place {
  const place = places.get(name);
  if (!place) throw new Error(`No place: ${name}`);
  return place;
}

/** Opens a till in a window that is high enough for all its last words. */
async function openTill({ cli, env }: Place): Promise<Terminal> {
  const window = { columns: 120, rows: 40 };
  const options = { cwd: cli.folder, env: { ...cli.env, ...env }, ...window };
  terminal = openTerminal(['pay', 'till'], options);
  await terminal.waitFor(/^ *Amount$/m);
  return terminal;
}

/** Waits until the bank has received the call that it never answers. */
async function untilHanging({ bank }: Place): Promise<void> {
  while ((await bank.hangsLeft()) > 0) await sleep(20);
}

/** Types keys, and waits after each for a text on the screen. */
async function typeAll(steps: Steps): Promise<void> {
  for (const [keys, shows] of steps) {
    terminal.type(keys);
    await terminal.waitFor(shows);
  }
}

type Steps = readonly (readonly [keys: string, shows: RegExp])[];

interface Act {
  readonly operation: string;
  readonly steps: (amount: number) => Steps;
  readonly said: RegExp;
}

const acts: readonly (readonly [string, Act])[] = [
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

const storing = ['an idempotent bank', 'another bank'];

describe.each(storing)('Ctrl+C while %s hangs', (name) => {
  it.each(acts)('reports and stores what is in doubt while %s', async (_, act) => {
    const place = placeOf(name);
    const { type, text, exit } = await openTill(place);
    await place.bank.disturb({ faults: [`hang@${act.operation} x1`] });
    await typeAll(act.steps(77));
    await untilHanging(place);
    type('\u0003');
    expect(await exit()).toBe(130);
    expect(text()).toMatch(act.said);
    expect(text()).toContain('List requests in doubt: msgsite pay payments --state in_doubt');
    expect(text()).not.toMatch(/stor(ed|age)|closed/);
    const { document } = await place.cli.json('payments --state in_doubt');
    expect(document.payments).not.toEqual([]);
    const next = await openTill(place);
    const { length } = document.payments;
    await next.waitFor(
      new RegExp(`^. ${length} in doubt: msgsite pay payments --state in_doubt$`, 'm'),
    );
  });
});

const all = [...storing, 'the bank of a gateway elsewhere'];

describe.each(all)('Ctrl+C while %s hangs', (name) => {
  it.each(acts)(
    'reports what is in doubt while %s after the screen was left with Esc',
    async (_, act) => {
      const place = placeOf(name);
      const { type, text, exit, waitFor } = await openTill(place);
      await place.bank.disturb({ faults: [`hang@${act.operation} x1`] });
      await typeAll(act.steps(78));
      await untilHanging(place);
      type(esc);
      await waitFor(/^ *Amount$/m);
      type('\u0003');
      expect(await exit()).toBe(130);
      expect(text()).toMatch(act.said);
      expect(text()).not.toMatch(/stor(ed|age)|closed/);
    },
  );
});
