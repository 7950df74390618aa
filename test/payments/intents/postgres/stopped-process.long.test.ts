import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { createPayCli, type PayCli } from '../../../commands/pay/pay-cli.js';
import { openSandboxBank } from '../../../commands/pay/sandbox-bank.js';
import { type MsgsiteProcess, startMsgsite, startServe } from '../../../helpers/msgsite-process.js';
import { runCli } from '../../../helpers/run-cli.js';
import { hasStopped } from '../../../helpers/stopped-process.js';

/** Longer than any lease, in milliseconds. */
const stillFor = 30_000;
/** Time until the bank handles a request that the process sent before it was suspended, in seconds. */
const bankWaits = 25;
/** Time between two repeats of a request, in milliseconds. */
const pause = 4_000;
/** Maximum number of repeats of a request. */
const maxRepeats = 30;

type Storage = 'files' | 'PostgreSQL';
/** An idempotent bank returns the existing operation for a known key. Other banks make a new operation. */
type Bank = 'idempotent' | 'not-idempotent';

/** The result of a request: the operation, an unknown outcome, or nothing done. */
type Heard = { readonly made: string } | 'in doubt' | 'nothing done';

interface Step {
  /** The time when the process stops, as text for titles. */
  readonly title: string;
  /** A step in stop-at-step.mjs, and whether the process stops before or after it. */
  readonly at: string;
  /** True if the bank handles the request late. */
  readonly isSlow?: boolean;
  /** True if nothing was sent, so that a person can close the request and repeat it. */
  readonly isUnsent?: boolean;
}

/** Steps with keys, which processes share only in a database. */
const keySteps: readonly Step[] = [
  { title: 'before it claims its key', at: 'key before' },
  { title: 'after it has received its key', at: 'key answered' },
];
/** A database stores the intent before the process receives its answer. */
const heardStep: Step = {
  title: 'after its intent is stored, and a person closes the request',
  at: 'intent answered',
  isUnsent: true,
};
const steps: readonly Step[] = [
  { title: 'before it stores its intent', at: 'intent before' },
  { title: 'after it has written its intent', at: 'intent after' },
  { title: 'before it calls the bank', at: 'ask before' },
  { title: 'before the bank acts', at: 'ask after', isSlow: true },
  { title: 'before the bank answers', at: 'ask after' },
  { title: 'before it stores the answer', at: 'answer before' },
  { title: 'after it has written the answer', at: 'answer after' },
  { title: 'before it closes the intent', at: 'end before' },
  { title: 'before it responds to its client', at: 'client before' },
];

/** An operation in progress in a process that is about to stop. */
interface UnderWay {
  readonly child: ChildProcess;
  readonly answer: Promise<Heard>;
  /** Requests the same operation from another process. Undefined if the request cannot be repeated. */
  readonly repeat?: () => Promise<Heard>;
}

type Served = Awaited<ReturnType<typeof startServe>>;

interface Shop {
  readonly cli: PayCli;
  readonly bankUrl: string;
  readonly storage: Storage;
  /** Starts a process of the shop. It is ended with the test. */
  start<Started extends MsgsiteProcess>(start: () => Started): Started;
  serve(env?: Readonly<Record<string, string>>): Promise<Served>;
}

interface Act {
  readonly title: string;
  /** The path at the bank. */
  readonly operation: string;
  readonly kind: 'qr' | 'invoice' | 'refund';
  readonly hasKey: boolean;
  /** Prepares the operation. Returns a function that starts it in a process with the given environment. */
  prepare(shop: Shop): Promise<(stopping: Readonly<Record<string, string>>) => Promise<UnderWay>>;
}

/** The amount of each operation, in tenge. A refunded payment has a different amount. */
const amount = 1500;
const paidAmount = 1700;

/** Requests the QR payment from a gateway. */
async function askForCode({ cli }: Shop, { gateway, stderr }: Served): Promise<Heard> {
  const { tokenSN, vtokenSecret } = JSON.parse(await readFile(cli.sessionFile, 'utf8'));
  const response = await fetch(`${gateway}/api/qr/create`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Token-SN': tokenSN,
      'X-Vtoken-Secret': vtokenSecret,
      'Idempotency-Key': 'one-sale',
    },
    body: JSON.stringify({ amount }),
  }).catch((cause: unknown) => {
    throw new Error(`The gateway does not answer: ${stderr()}`, { cause });
  });
  const text = await response.text();
  const { Data, code, outcome } = JSON.parse(text);
  if (response.ok) return { made: String(Data.QrOperationId) };
  if (outcome === 'unknown') return 'in doubt';
  if (code === 'storage_unavailable') return 'nothing done';
  throw new Error(`${response.status} ${text}`);
}

/** Returns the result of a command when it has exited. */
async function heardFrom(command: MsgsiteProcess): Promise<Heard> {
  const exitCode = await command.exit();
  const document = JSON.parse(command.stdout() || '{}');
  if (exitCode === 0) return { made: document.paymentId ?? '' };
  if (exitCode === 7) return 'in doubt';
  if (document.code === 'storage_unavailable') return 'nothing done';
  throw new Error(`Exit code ${exitCode}: ${command.stdout()}${command.stderr()}`);
}

const acts: readonly Act[] = [
  {
    title: 'a QR payment of serve',
    operation: 'qr/create',
    kind: 'qr',
    hasKey: true,
    async prepare(shop) {
      // On files, there is only one `serve`, so the request is repeated there.
      const other = shop.storage === 'files' ? undefined : await shop.serve();
      return async (stopping) => {
        const stopped = await shop.serve(stopping);
        const answer = askForCode(shop, stopped);
        return { child: stopped.child, answer, repeat: () => askForCode(shop, other ?? stopped) };
      };
    },
  },
  {
    title: 'a refund of pay refund',
    operation: 'refunds/create',
    kind: 'refund',
    hasKey: true,
    async prepare(shop) {
      const { cli } = shop;
      const { document: paid } = await cli.json(`qr --amount ${paidAmount}`);
      await shop.serve();
      const words = ['pay', 'refund', paid.paymentId, '--amount', '200', '--yes', '--json'];
      const start = (env = {}) =>
        shop.start(() => startMsgsite(words, { env: { ...cli.env, ...env }, cwd: cli.folder }));
      return async (stopping) => {
        const command = start(stopping);
        return {
          child: command.child,
          answer: heardFrom(command),
          repeat: () => heardFrom(start()),
        };
      };
    },
  },
  {
    title: 'an invoice of pay invoice',
    operation: 'invoices/create',
    kind: 'invoice',
    hasKey: false,
    async prepare(shop) {
      const { cli } = shop;
      await shop.serve();
      const words = `pay invoice --phone 87015554433 --amount ${amount} --yes --no-wait --json`;
      return async (stopping) => {
        const env = { ...cli.env, ...stopping };
        const command = shop.start(() => startMsgsite(words.split(' '), { env, cwd: cli.folder }));
        return { child: command.child, answer: heardFrom(command) };
      };
    },
  },
];

interface Scenario extends Step {
  readonly act: Act;
  readonly storage: Storage;
  readonly bank: Bank;
}

/** Opens a shop with its own storage and bank. */
async function openShop({ storage, bank: kind }: Scenario, { onTestFinished }: TestContext) {
  const bank = await openSandboxBank();
  onTestFinished(() => bank.close());
  const faults: string[] = kind === 'idempotent' ? [] : ['not-idempotent'];
  await bank.disturb({ faults });
  const settings = {
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.5',
    MSGSITE_RESOLVE_INTERVAL: '2',
    MSGSITE_RECONCILE_AT: 'off',
    MSGSITE_LOG_LEVEL: 'error',
  };
  const cli = await createPayCli(settings, storage === 'PostgreSQL');
  onTestFinished(() => cli.remove());
  await cli.signIn();
  const start: Shop['start'] = (begin) => {
    const started = begin();
    onTestFinished(async () => void (await started.end('SIGKILL')));
    return started;
  };
  const shop: Shop = {
    ...{ cli, storage, bankUrl: bank.url, start },
    async serve(env = {}) {
      const served = await startServe(['--only', 'gateway'], {
        env: { ...cli.env, ...env },
        cwd: cli.folder,
      });
      return start(() => served);
    },
  };
  return { shop, slowDown: (fault: string) => bank.disturb({ faults: [...faults, fault] }) };
}

interface BankOperation {
  readonly id: number;
  readonly kind: string;
  readonly amount: number;
  readonly refunds: readonly object[];
}

/** Returns how often the bank has made the operation. */
async function timesMade({ bankUrl }: Shop, { kind }: Act): Promise<number> {
  const response = await fetch(`${bankUrl}/control/operations`);
  const { operations } = (await response.json()) as { operations: readonly BankOperation[] };
  if (kind === 'refund') return operations.flatMap(({ refunds }) => refunds).length;
  return operations.filter((each) => each.kind === kind && each.amount === amount).length;
}

const isMade = (heard: Heard) => typeof heard === 'object';

/** Closes everything in doubt as never made, as a person does after asking the bank. */
async function sayNotMade({ cli }: Shop): Promise<void> {
  const { document } = await cli.json('payments --state in_doubt');
  for (const { intent, running } of document.payments) {
    if (!running) await cli.json(`adopt --none ${intent}`);
  }
}

/** Returns the current day in the provider's zone. */
const today = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Almaty' }).format(new Date());

/** Suspends the process of an operation, and asserts that the operation is made once. */
async function suspend(scenario: Scenario, context: TestContext): Promise<void> {
  const { act, at, isSlow, isUnsent } = scenario;
  const { expect } = context;
  const { shop, slowDown } = await openShop(scenario, context);
  const { cli } = shop;
  const begin = await act.prepare(shop);
  if (isSlow) await slowDown(`slow=${bankWaits}@${act.operation} x1`);
  const preload = new URL('stop-at-step.mjs', import.meta.url).href;
  const { child, answer, repeat } = await begin({
    NODE_OPTIONS: `--import=${preload}`,
    STOP_AT: at,
  });
  answer.catch(() => {});
  while (!(await hasStopped(child))) await sleep(50);
  expect(child.exitCode, 'It must stop before it ends.').toBeNull();
  const waking = sleep(stillFor).then(() => child.kill('SIGCONT'));

  const heard: Heard[] = [];
  /** Repeats the request until the operation is made, while the first process is suspended and afterwards. */
  async function insist(again: () => Promise<Heard>): Promise<void> {
    for (let count = 0; count < maxRepeats; count += 1) {
      const result = await again();
      heard.push(result);
      if (isMade(result)) return;
      if (result === 'in doubt' && isUnsent) await sayNotMade(shop);
      await sleep(pause);
    }
  }
  const insisting = repeat ? insist(repeat) : Promise.resolve();
  const [first] = await Promise.all([answer, insisting, waking]);
  heard.push(first);
  const isDone = heard.some(isMade);
  if (repeat) expect(isDone, JSON.stringify(heard)).toBe(true);
  expect(new Set(heard.filter(isMade).map((each) => JSON.stringify(each))).size).toBe(
    isDone ? 1 : 0,
  );
  const list = async (state: string) =>
    (await cli.json(`payments --state ${state}`)).document.payments;
  await expect.poll(() => list('in_doubt')).toEqual([]);
  await expect.poll(() => list('open')).toEqual([]);
  const made = await timesMade(shop, act);
  expect(made).toBe(first === 'nothing done' && !repeat ? 0 : 1);
  expect(await cli.json(`reconcile --day ${today()}`)).toMatchObject({ exitCode: 0 });
  const { stdout } = await runCli(['audit', '--json'], { env: cli.env });
  const lines: { kind: string; amount: number; outcome: string }[] = JSON.parse(stdout).lines;
  const successes = lines.filter(
    (line) => line.outcome === 'success' && line.amount !== paidAmount && line.amount !== null,
  );
  // A repeat at an idempotent bank is a separate operation.
  const most = scenario.bank === 'idempotent' ? made + 1 : made;
  expect(successes.length, JSON.stringify(lines)).toBeGreaterThanOrEqual(made);
  expect(successes.length, JSON.stringify(lines)).toBeLessThanOrEqual(most);
}

/** Returns the steps at which the process of an operation is stopped. */
function stepsOf({ storage, act }: Pick<Scenario, 'storage' | 'act'>): readonly Step[] {
  if (storage === 'files') return steps;
  return [...(act.hasKey ? keySteps : []), heardStep, ...steps];
}

/** Steps after which another process can request the same operation from an idempotent bank. */
const askSteps = steps.filter(({ at }) => at.startsWith('ask'));

for (const storage of ['files', 'PostgreSQL'] as const) {
  for (const act of acts) {
    describe.concurrent(`${act.title} on ${storage}`, () => {
      for (const step of stepsOf({ storage, act })) {
        it(`is made once if its process stops for 30 s ${step.title}`, (context) =>
          suspend({ ...step, act, storage, bank: 'not-idempotent' }, context));
      }
      if (storage === 'files' || !act.hasKey) return;
      for (const step of askSteps) {
        it(`is made once if its process stops for 30 s ${step.title}, and the bank is idempotent`, (context) =>
          suspend({ ...step, act, storage, bank: 'idempotent' }, context));
      }
    });
  }
}
