import { setImmediate as turn } from 'node:timers/promises';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { Keys } from '../../src/terminal/payment/payment-screen.js';

it.each(['\u0003', 'r\u0003', '\u001b\u0003'])(
  'Ctrl+C closes the payment screen even if it arrives together with other keys: %j',
  async (keys) => {
    const heard: string[] = [];
    const { stdin, unmount } = render(<Keys onKey={(key) => heard.push(key)} />);
    await turn();
    stdin.write(keys);
    expect(heard).toEqual(['ctrl+c']);
    unmount();
  },
);
