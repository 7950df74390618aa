import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { filledHalves, type HalfCell, readQr } from '../../helpers/read-qr.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

/** Length of the links that the bank returns, in bytes. It determines the version and size of the QR code. */
let linkLength = 20;
let bank: SandboxBank;
let front: Server;
let cli: PayCli;
let terminal: Terminal | undefined;

/** Opens a proxy to the sandbox that returns links with the length `linkLength`. */
async function openFront(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = await new Response(request as unknown as ReadableStream).text();
    const { method = 'POST', headers, url } = request;
    const sent = Object.entries(headers).filter(([name]) => !/^(host|connection)$/.test(name));
    const answer = await fetch(`${bank.url}${url}`, {
      method,
      headers: sent.map(([name, value]) => [name, String(value)]),
      body,
    });
    const text = (await answer.text()).replace(/"QrToken":"[^"]+"/g, `"QrToken":"${linkOf()}"`);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const linkOf = () => `https://a.kz/${'x'.repeat(linkLength - 13)}`;

beforeAll(async () => {
  bank = await openSandboxBank(1);
  front = await openFront();
  const { port } = front.address() as AddressInfo; // a TCP server has one
  cli = await createPayCli({
    MSGSITE_PROVIDER: `http://127.0.0.1:${port}`,
    MSGSITE_POLL_INTERVAL: '0.5',
  });
  await cli.signIn();
});
afterEach(() => terminal?.kill());
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await bank.close();
  await cli.remove();
});

/** Returns the cells of a terminal without colors and with a dark or light background. */
function plainCells(text: string, columns: number, isDark: boolean): HalfCell[][] {
  return text.split('\n').map((line) =>
    [...line.padEnd(columns)].map((glyph) => {
      const { top, bottom } = filledHalves(glyph);
      return isDark ? { top, bottom } : { top: !top, bottom: !bottom };
    }),
  );
}

const windows = [
  [80, 24],
  [40, 20],
  [120, 40],
] as const;

/** The length of the link in bytes, the modules per side of its smallest code, and the terminal's environment. */
const cases = [
  [20, 25, { TERM: 'screen' }],
  [60, 33, { NO_COLOR: '1' }],
  [81, 37, { TERM: 'xterm-256color' }],
  [150, 45, { NO_COLOR: '1', COLORFGBG: '0;15' }],
  [300, 61, { TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
] as const;

describe('the QR code of a link', () => {
  it.each(cases)(
    'with %d characters is shown in every window that is large enough',
    async (...each) => {
      const [length, modules, more] = each;
      linkLength = length;
      const env: Record<string, string> = more;
      terminal = openTerminal(['pay', 'qr', '--amount', '1506'], {
        cwd: cli.folder,
        env: { ...cli.env, ...env },
      });
      const { text, cells, waitFor, until, resize, type, exit } = terminal;
      const [wide, high] = [modules + 4, Math.ceil((modules + 4) / 2)];
      for (const [columns, rows] of [...windows, ...windows]) {
        resize(columns, rows);
        const fits = wide <= columns && (high < rows || (high === rows && columns - wide > 20));
        const read = () => {
          const isPlain = env.NO_COLOR !== undefined;
          return readQr(
            isPlain ? plainCells(text(), columns, env.COLORFGBG === undefined) : cells(),
          );
        };
        if (fits) await until(() => read() === linkOf(), `The code at ${columns} x ${rows}`);
        else {
          const note = `must be ${wide} x ${high + 1}, is ${columns} x ${rows}`;
          // The note may be wrapped anywhere.
          await waitFor(new RegExp(note.replaceAll(' ', '\\s+')));
        }
        const isWhole = () => text().replaceAll('\n', '').includes(linkOf());
        if (!fits) await until(isWhole, `The link at ${columns} x ${rows}`);
        await waitFor(/1 506 ₸/);
        await waitFor(/○ Waiting/);
      }
      type('\u0003');
      expect(await exit()).toBe(130);
      expect(text()).toMatch(/Payment \d+ is still open/);
      // No part of the code remains after the wait.
      expect(text()).not.toMatch(/[▀▄█]/);
    },
  );
});
