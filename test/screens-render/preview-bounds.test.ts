import { spawnSync } from 'node:child_process';
import { rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { startPreview } from '../../src/screens/preview/server.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { queue } from './samples.js';

let file: string;
let port: number;

beforeEach(async () => {
  file = join(await makeTempFolder(), 'a.screen.json');
  await writeFile(file, JSON.stringify(queue));
  const stop = new AbortController();
  const { url, ended } = await startPreview({
    file,
    port: 0,
    locale: 'en',
    lint: {},
    maxBytes: 1024 * 1024,
    clock: systemClock,
    signal: stop.signal,
  });
  port = Number(new URL(url).port);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
});

/** Sends bytes and returns everything that the server sends until the connection closes. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(response));
  });
}

const ask = (line: string, ...headers: readonly string[]): Promise<string> =>
  send(`${[line, 'Host: 127.0.0.1', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
const statusOf = async (answer: Promise<string>): Promise<number> =>
  Number((await answer).slice(9, 12));
const isAlive = async (): Promise<boolean> => (await statusOf(ask('GET / HTTP/1.1'))) === 200;

describe('the preview', () => {
  it.each([
    ['GET // HTTP/1.1', 404],
    ['GET //evil.example/ HTTP/1.1', 404],
    ['GET http://[ HTTP/1.1', 404],
    ['GET http://evil.example/ HTTP/1.1', 404],
    ['GET /\\..\\ HTTP/1.1', 404],
    ['GET /%zz HTTP/1.1', 404],
    ['GET /__proto__ HTTP/1.1', 404],
    [`GET /${'a'.repeat(5_000)} HTTP/1.1`, 414],
    [`GET /${'a'.repeat(50_000)} HTTP/1.1`, 431],
    ['OPTIONS * HTTP/1.1', 405],
    ['POST / HTTP/1.1', 405],
    ['HEAD /events HTTP/1.1', 200],
    ['GET /screen?%ff=%zz&archetype=__proto__ HTTP/1.1', 200],
  ])('continues to run after the request %s', async (line, status) => {
    expect(await statusOf(ask(line))).toBe(status);
    expect(await isAlive()).toBe(true);
  });

  it('checks the host before the rest of the request', async () => {
    for (const target of ['//', 'http://[', '/', '/events']) {
      const answer = send(
        `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(await statusOf(answer)).toBe(421);
    }
    expect(await isAlive()).toBe(true);
  });

  it('rejects requests from pages of other sites', async () => {
    const image = [
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: no-cors',
      'Sec-Fetch-Dest: image',
    ];
    for (const path of ['/', '/events', '/state', '//']) {
      expect(await statusOf(ask(`GET ${path} HTTP/1.1`, ...image))).toBe(403);
    }
    const link = [
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Dest: document',
    ];
    expect(await statusOf(ask('GET / HTTP/1.1', ...link))).toBe(200);
  });

  it('does not wait for the end of a request body', async () => {
    const answer = await ask('GET / HTTP/1.1', 'Content-Length: 1000000000');
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(await isAlive()).toBe(true);
  });

  it('serves requests while many connections are idle', async () => {
    const sockets = Array.from({ length: 60 }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    );
    expect(await isAlive()).toBe(true);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a previewed file that is replaced with an unsuitable one', () => {
  const finding = async (): Promise<string> => {
    const answer = await ask('GET /state HTTP/1.1');
    const { findings } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    return findings.map(({ message }: { message: string }) => message).join('\n');
  };

  it.each([
    ['a named pipe', () => spawnSync('mkfifo', [`${file}.new`])],
    ['a device', () => symlink('/dev/zero', `${file}.new`)],
    [
      'larger than 1 MB',
      async () => {
        await writeFile(`${file}.new`, '{}');
        await truncate(`${file}.new`, 1_000_000_000);
      },
    ],
  ])('is reported as %s, and the last valid version remains', async (words, make) => {
    await make();
    await rename(`${file}.new`, file);
    await expect.poll(finding, { timeout: 30_000 }).toContain(words);
    expect(await ask('GET /screen HTTP/1.1')).toContain(queue.product.name);
    await rm(file);
    await expect.poll(finding, { timeout: 30_000 }).toContain('it does not exist');
  });
});
