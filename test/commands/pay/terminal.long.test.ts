import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readQr } from '../../helpers/read-qr.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
let terminal: Terminal;

beforeAll(async () => {
  cli = await createPayCli({ MSGSITE_SANDBOX_SPEED: '1', MSGSITE_POLL_INTERVAL: '0.1' });
  await cli.signIn();
});
afterEach(() => terminal.kill());
afterAll(() => cli.remove());

interface Window {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

function open(words: readonly string[], { env, ...size }: Window = {}): Terminal {
  terminal = openTerminal(['pay', ...words], {
    cwd: cli.folder,
    env: { ...cli.env, ...env },
    ...size,
  });
  return terminal;
}

/** The complete screen of an open payment, down to its last line. */
const drawn = /Time left +\d:\d\d[\s\S]+Ctrl\+C stops/;

/** Shortens the usual 4 seconds until the payment ends. */
const fast = { MSGSITE_SANDBOX_SPEED: '4' };

describe('pay qr on a terminal', () => {
  // All other tests use 256 colors.
  it.each([
    ['true color', { COLORTERM: 'truecolor' }],
    ['16 colors', { TERM: 'xterm' }],
  ])('shows a readable code, the link and the amount with %s', async (_, env) => {
    const { waitFor, cells, text, type, exit } = open(['qr', '--amount', '1506'], { env });
    await waitFor(drawn);
    const link = /https:\/\/\S+/.exec(text())?.[0];
    expect(readQr(cells())).toBe(link);
    expect(text()).toContain('1 506 ₸');
    expect(text()).toContain('○ Waiting for the customer to scan');
    type('\u0003');
    expect(await exit()).toBe(130);
    expect(text()).toMatch(/Payment \d+ is still open/);
    expect(text()).toMatch(/msgsite pay wait \d+/);
    expect(readQr(cells())).toBeUndefined();
  });

  it('replaces the code with the result in large letters at the end', async () => {
    const { waitFor, cells, text, exit } = open(['qr', '--amount', '1500'], { env: fast });
    await waitFor(drawn);
    expect(readQr(cells())).toMatch(/^https:/);
    expect(await exit()).toBe(0);
    expect(text()).toContain('✓ PAID  1 500 ₸');
    expect(text()).toContain('██████    ██    ██████  ████');
    expect(readQr(cells())).toBeUndefined();
  });

  it('updates the text next to the code without changing the code', async () => {
    // The first three polls fail, and the delay between them doubles each time.
    const env = { MSGSITE_POLL_INTERVAL: '1' };
    const { waitFor, cells, text } = open(['qr', '--amount', '1507'], { env });
    await waitFor(/! The bank is not responding/);
    await waitFor(/Time left +2:5[0-8][\s\S]+Ctrl\+C stops/);
    expect(readQr(cells())).toBe(/https:\/\/\S+/.exec(text())?.[0]);
    expect(text()).not.toContain('○ Waiting');
    expect(text().match(/Time left/g)).toHaveLength(1);
  });

  it('adapts to a window that becomes narrow and then wide again', async () => {
    const { waitFor, cells, text, resize } = open(['qr', '--amount', '1506']);
    await waitFor(/Time left/);
    resize(40, 30);
    await waitFor(/^1 506 ₸[\s\S]+Ctrl\+C stops/m);
    expect(readQr(cells())).toMatch(/^https:/);
    resize(30, 15);
    await waitFor(/too small/);
    resize(80, 24);
    await waitFor(/Payment +\d+[\s\S]+Ctrl\+C stops/);
    expect(readQr(cells())).toBe(/https:\/\/\S+/.exec(text())?.[0]);
    expect(text().match(/Time left/g)).toHaveLength(1);
  });

  it('prompts for a missing amount', async () => {
    const { waitFor, type } = open(['qr']);
    await waitFor(/Amount in tenge:/);
    type('nothing\r');
    await waitFor(/✗ "nothing" is not a valid amount/);
    type('1 506,5\r');
    await waitFor(/1 506,50 ₸/);
  });
});

describe('pay invoice on a terminal', () => {
  const words = ['invoice', '--phone', '87015554433', '--amount', '1506'];

  it('shows the customer, asks for confirmation and cancels on c', async () => {
    const { waitFor, type, text, exit } = open(words);
    await waitFor(/Send an invoice of 1 506 ₸ to .+, \+7 \(701\) 555-44-33\? \[Y\/n\]/);
    type('\r');
    await waitFor(/Invoice sent\. Waiting for the customer to pay/);
    await waitFor(/c cancels the invoice/);
    type('c');
    expect(await exit()).toBe(5);
    expect(text()).toContain('✗ NOT PAID  1 506 ₸');
    expect(text()).toContain('The invoice was cancelled.');
  });

  it('sends nothing if the cashier answers no', async () => {
    const { waitFor, type, text, exit } = open(words);
    await waitFor(/\[Y\/n\]/);
    type('n\r');
    expect(await exit()).toBe(1);
    expect(text()).toContain('Nothing was sent.');
  });
});

describe('pay login on a terminal', () => {
  it('prompts for the phone and the code, hides the code and shows the remaining attempts', async () => {
    const { waitFor, type, text, exit } = open(['login', '--session', 'other.json']);
    await waitFor(/Cashier’s phone:/);
    type('8701 123 45 67\r');
    await waitFor(/A code was sent to \+7 \(701\) \*\*\*-\*\*-67/);
    await waitFor(/Code from the SMS:/);
    type('999888');
    await waitFor(/SMS: ••••••/);
    type('\r');
    await waitFor(/✗ The code is wrong\. Attempts left: 4/);
    type('123456\r');
    expect(await exit()).toBe(0);
    expect(text()).toContain('✓ Signed in');
    expect(text()).not.toMatch(/999888|123456/);
  });

  it('exits with code 130 on Ctrl+C', async () => {
    const { waitFor, type, exit } = open(['login']);
    await waitFor(/Cashier’s phone:/);
    type('\u0003');
    expect(await exit()).toBe(130);
  });
});

describe('pay refund on a terminal', () => {
  it('shows the paid amount and does nothing unless the cashier answers yes', async () => {
    const { document } = await cli.json('qr --amount 1500', { env: { ...fast } });
    const refund = ['refund', document.paymentId, '--amount', '500'];
    const first = open(refund);
    await first.waitFor(/Return 500 ₸ of 1 500 ₸ to the customer\? [\s\S]+\[y\/N\]/);
    first.type('\r');
    expect(await first.exit()).toBe(1);
    expect(first.text()).toContain('Nothing was returned.');
    const second = open(refund);
    await second.waitFor(/\[y\/N\]/);
    second.type('y\r');
    expect(await second.exit()).toBe(0);
    expect(second.text()).toContain('✓ Returned  500 ₸');
  });
});
