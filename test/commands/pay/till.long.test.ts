import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readQr } from '../../helpers/read-qr.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
let terminal: Terminal;

beforeAll(async () => {
  cli = await createPayCli({ MSGSITE_SANDBOX_SPEED: '2', MSGSITE_POLL_INTERVAL: '0.1' });
});
afterEach(() => terminal?.kill());
afterAll(() => cli.remove());

interface Window {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

function open(words: readonly string[] = [], { env, ...size }: Window = {}): Terminal {
  terminal = openTerminal(['pay', 'till', ...words], {
    cwd: cli.folder,
    env: { ...cli.env, ...env },
    ...size,
  });
  return terminal;
}

const amount = /^ *Amount$/m;
/** The complete screen with a QR code. */
const waiting = /○ Waiting for the customer[\s\S]+Esc next sale/;

describe('pay till', () => {
  it('signs in, sells, sends invoices, refunds, shows totals and lists open payments on exit', async () => {
    const { waitFor, type, text, cells, resize, exit } = open();
    await waitFor(/Cashier’s phone:/);
    type('87011234567\r');
    await waitFor(/Code from the SMS:/);
    type('123456');
    await waitFor(/SMS: ••••••/);
    type('\r');
    await waitFor(amount);

    type('1500');
    await waitFor(/1 500\s+₸/);
    type('\r');
    await waitFor(waiting);
    expect(readQr(cells())).toBe(/https:\/\/\S+/.exec(text())?.[0]);
    await waitFor(/✓ PAID {2}1 500 ₸/);

    type('\r');
    await waitFor(amount);
    type('\u001b[200~rubbish\r1500\ri\r\u001b[201~');
    await waitFor(/The pasted text is not an amount/);
    type('1506\r');
    await waitFor(waiting);
    resize(40, 20);
    await waitFor(/^1 506 ₸ +\d:\d\d[\s\S]+Esc next sale/m);
    expect(readQr(cells())).toMatch(/^https:/);
    resize(80, 24);
    await waitFor(/Payment \d+[\s\S]+https:[\s\S]+Esc next sale/);
    expect(readQr(cells())).toBe(/https:\/\/\S+/.exec(text())?.[0]);
    type('\u001b');
    await waitFor(/stays open\. The till/);

    type('i');
    await waitFor(/Customer’s phone:/);
    type('87015554433\r');
    await waitFor(/Invoice to \S+/);
    type('1506\r');
    await waitFor(/Invoice sent\. Waiting for the customer/);
    type('c');
    await waitFor(/✗ NOT PAID {2}1 506 ₸/);

    type('r');
    await waitFor(/› +1 +1 500 ₸/);
    type('\r');
    await waitFor(/Press y to return/);
    type('500');
    await waitFor(/^ +500\s+₸/m);
    type('y');
    await waitFor(/✓ Returned {2}500 ₸\s+Left +1 000 ₸/);
    type('\r');
    await waitFor(amount);
    type('t');
    await waitFor(/Gross +1 500 ₸ +1 paid\s+Returned +-500 ₸ +1 returned\s+Net +1 000 ₸/);

    type('\u0003');
    expect(await exit()).toBe(130);
    expect(text()).toMatch(/Payment \d+ of 1 506 ₸ is still open/);
    expect(text()).toMatch(/msgsite pay wait \d+/);
    expect(text()).not.toContain('Net ');
    const { document } = await cli.json('payments');
    expect(document.payments).toHaveLength(3);
  });

  it('requests a new sign-in when the session ends, and then shows the outcome of the sale', async () => {
    await cli.signIn();
    const { waitFor, type } = open([], { columns: 120, rows: 40 });
    await waitFor(amount);
    // This amount makes the sandbox end the sessions of the organization.
    type('1509\r');
    await waitFor(/Code from the SMS:/);
    type('123456\r');
    await waitFor(/✓ PAID {2}1 509 ₸/);
  });

  it('requests a new sign-in after a logout in a different terminal, even while a payment is open', async () => {
    await cli.signIn();
    const { waitFor, type } = open([], { columns: 120, rows: 40 });
    await waitFor(amount);
    type('1506\r');
    await waitFor(waiting);
    type('\u001b');
    await waitFor(/stays open\. The till/);
    expect((await cli.run('logout')).stdout).toContain('Signed out.');
    const { document: before } = await cli.json('payments');
    type('1500\r');
    await waitFor(/Code from the SMS:/);
    expect((await cli.json('payments')).document).toEqual(before);
    type('123456\r');
    await waitFor(/✓ PAID {2}1 500 ₸/);
  });

  it('shows existing open payments, even without colors', async () => {
    await cli.signIn();
    await cli.run('qr --amount 1506 --no-wait');
    const { waitFor, type } = open([], { env: { NO_COLOR: '1' } });
    await waitFor(/o open \d/);
    await waitFor(/^SANDBOX · /);
    type('o');
    await waitFor(/› ○ 1 506 ₸/);
    type('\r');
    await waitFor(waiting);
  });

  it('prints everything as lines and does not move the cursor with --plain', async () => {
    await cli.signIn();
    const { waitFor, type, exit } = open(['--plain'], { env: { TERM: 'dumb' } });
    await waitFor(/Amount:$/m);
    type('1500\r');
    await waitFor(/Link: https:\/\/\S+/);
    await waitFor(/○ Waiting for the customer to scan/);
    await waitFor(/✓ PAID {2}1 500 ₸/);
    type('t\r');
    type('\u0003');
    expect(await exit()).toBe(130);
  });
});

describe('pay till without a terminal', () => {
  it.each([
    ['till', /requires a terminal/],
    ['till --plain', /requires a terminal/],
    ['till --json', /does not support --json/],
  ])('%s is a usage error with an explanation', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
