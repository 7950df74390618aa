import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { formatTenge } from '../../../src/terminal/formats.js';
import { startServe } from '../../helpers/msgsite-process.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';

/** The outcomes of a sale in the sandbox by the last digit of its amount, and their number in a shift. */
const outcomes = [
  { ending: 0, shows: /✓ PAID/, isPaid: true, count: 38 },
  { ending: 1, shows: /✗ NOT PAID[\s\S]+The customer cancelled/, isPaid: false, count: 4 },
  { ending: 4, shows: /! EXPIRED/, isPaid: false, count: 3 },
  // The bank does not respond to the first three polls.
  { ending: 7, shows: /✓ PAID/, isPaid: true, count: 2 },
  { ending: 8, shows: /✓ PAID/, isPaid: true, count: 3 },
] as const;

interface PlannedSale {
  readonly amount: number;
  readonly shows: RegExp;
  readonly isPaid: boolean;
}

/** Returns fifty sales with different amounts, in an order that mixes the outcomes. */
function planShift(): readonly PlannedSale[] {
  const all = outcomes.flatMap(({ count, ending, ...rest }) =>
    Array.from({ length: count }, (_, index) => ({ ...rest, ending, index })),
  );
  const mixed = all.map((sale, index) => ({ sale, position: (index * 7) % all.length }));
  return mixed
    .sort((a, b) => a.position - b.position)
    .map(({ sale: { ending, ...rest }, position }) => ({
      ...rest,
      amount: (position + 10) * 100 + ending,
    }));
}

/** The sales during which the gateway is killed: while the code is shown, and while it is requested. */
const killedAt = { shown: 15, requested: 33 };
/** The first of these sales. Nobody pays it, so it stays open and expires later. */
const leftOpen: PlannedSale = { amount: 9_906, shows: /no response/, isPaid: false };
/** The sale before which the session ends at the gateway. */
const signedOutAt = 25;

it('a till with fifty sales has correct totals and neither loses nor duplicates a sale if its gateway is killed twice', async () => {
  const cli = await createPayCli({ MSGSITE_SANDBOX_SPEED: '20', MSGSITE_POLL_INTERVAL: '0.1' });
  onTestFinished(() => cli.remove());
  let serving = await startServe([], { cwd: cli.folder, env: cli.env });
  onTestFinished(() => void serving.child.kill('SIGKILL'));
  const { gateway } = serving;
  const port = new URL(gateway).port;
  const startAgain = async () => {
    serving = await startServe([], {
      cwd: cli.folder,
      env: { ...cli.env, MSGSITE_GATEWAY_PORT: port },
    });
  };
  const remote = await signInAt(cli, gateway);

  const till = openTerminal(['pay', 'till', '--session', remote.session], {
    cwd: cli.folder,
    env: { HOME: cli.folder, MSGSITE_GATEWAY: gateway },
  });
  onTestFinished(() => till.kill());
  await till.waitFor(/\+7 \(701\) \*\*\*-\*\*-67[\s\S]+Enter code/);

  const shift = planShift().with(killedAt.shown, leftOpen);
  for (const [number, { amount, shows }] of shift.entries()) {
    if (number === signedOutAt) await remote.signOut();
    till.type(`${amount}\r`);
    if (number === signedOutAt) await signInInPlace(till);
    if (number === killedAt.shown) await till.waitFor(/Waiting for the customer/);
    if (number === killedAt.shown || number === killedAt.requested) {
      await serving.end('SIGKILL');
      await till.waitFor(/no response/);
      await startAgain();
    }
    if (number === killedAt.shown) {
      await till.waitFor(/· connected/);
      till.type('\u001b');
    } else {
      await till.waitFor(shows);
      expect(till.text()).toContain(formatTenge(amount));
      till.type('\r');
    }
    await till.waitFor(/^ +Amount[\s\S]+Enter code/m);
  }

  const paid = shift.filter(({ isPaid }) => isPaid).map(({ amount }) => amount);
  const returned = await returnLatest(till);
  const gross = paid.reduce((sum, amount) => sum + amount, 0);
  till.type('t');
  await till.waitFor(new RegExp(`Gross +${formatTenge(gross)} +${paid.length} paid`));
  await till.waitFor(new RegExp(`Returned +-?${formatTenge(returned)} +1 returned`));
  await till.waitFor(new RegExp(`Net +${formatTenge(gross - returned)}`));
  till.type('\u0003');
  expect(await till.exit()).toBe(130);

  const words = `--gateway ${gateway} --session ${remote.session}`;
  const { document: report } = await cli.json(`report ${words}`);
  expect(report).toMatchObject({
    gross: { count: paid.length, sum: gross },
    refund: { count: 1, sum: returned },
    net: gross - returned,
  });
  const { document: history } = await cli.json(`history --limit 0 ${words}`);
  const amounts = (history.operations as { amount: number }[]).map(({ amount }) => amount);
  expect(amounts.sort()).toEqual(shift.map(({ amount }) => amount).sort());
  const open = async () => (await cli.json(`payments --state open ${words}`)).document.payments;
  await expect.poll(open).toEqual([]);
});

/** Signs in at a remote gateway. Returns the session file and a function that ends the session. */
async function signInAt(cli: PayCli, gateway: string) {
  const session = `${cli.folder}/remote.json`;
  const words = `login --gateway ${gateway} --session ${session} --phone 87011234567 --otp 123456`;
  const { exitCode, stderr } = await cli.run(words);
  if (exitCode !== 0) throw new Error(stderr);
  return {
    session,
    async signOut() {
      const kept = JSON.parse(await readFile(session, 'utf8')); // written by pay login
      const headers = { 'X-Token-SN': kept.tokenSN, 'X-Vtoken-Secret': kept.vtokenSecret };
      const response = await fetch(`${gateway}/api/auth/logout`, { method: 'POST', headers });
      expect(response.status).toBe(200);
    },
  };
}

/** Signs in again. The phone is known, and the code has already been sent. */
async function signInInPlace(till: Terminal): Promise<void> {
  await till.waitFor(/Code from the SMS/);
  till.type('123456\r');
}

/** Refunds the latest payment in full and returns the amount. */
async function returnLatest(till: Terminal): Promise<number> {
  till.type('r');
  await till.waitFor(/›[\s\S]+↑↓ select/);
  till.type('\r');
  await till.waitFor(/Press y to return the money/);
  const [, amount = ''] = /^ *([\d\s]+)\s₸ of/m.exec(till.text()) ?? [];
  till.type('y');
  await till.waitFor(/Enter next sale/);
  till.type('\r');
  await till.waitFor(/^ +Amount[\s\S]+Enter code/m);
  return Number(amount.replaceAll(/\s/g, ''));
}
