import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, groupOf, openTestApp } from '../helpers/test-app.js';

const mostBytes = 1024 * 1024;
const handled: Buffer[] = [];
const routes = groupOf([
  {
    path: '/pictures',
    method: 'POST',
    content: { types: ['image/png'], mostBytes },
    handle({ bytes }) {
      handled.push(bytes);
      return { status: 200, json: { size: bytes.length } };
    },
  },
  { path: '/health', handle: () => ({ status: 200, json: { ok: true } }) },
]);

let listener: Listener;

beforeAll(async () => {
  listener = await openTestApp({ groups: [routes] });
});
beforeEach(() => void handled.splice(0));
afterAll(() => listener.close());

const post = (body: Buffer, headers: Readonly<Record<string, string>> = {}) =>
  askRaw(`${listener.url}/pictures`, { method: 'POST', body, headers });

/** What comes back for pieces that are written one after the other, until the connection ends. */
function write(pieces: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

const start = 'POST /pictures HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const chunked = `${start}Transfer-Encoding: chunked\r\n\r\n`;
const next = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
/** 64 KB in a chunk. */
const chunk = Buffer.concat([
  Buffer.from('10000\r\n'),
  Buffer.alloc(65_536, 'x'),
  Buffer.from('\r\n'),
]);

describe('a body is given as it came', () => {
  test.each([0, 1, mostBytes])('with %i bytes', async (size) => {
    const body = Buffer.alloc(size, 0xff);
    const { status, bytes } = await post(body);
    expect([status, JSON.parse(bytes.toString())]).toEqual([200, { size }]);
    expect(handled[0]?.equals(body)).toBe(true);
  });

  test.each(['application/json', 'text/plain', 'image/png', 'anything'])(
    'whatever it is said to be: %s',
    async (type) => {
      const body = Buffer.from('{"not": "parsed"');
      expect((await post(body, { 'content-type': type })).status).toBe(200);
      expect(handled[0]?.equals(body)).toBe(true);
    },
  );

  test('in chunks, and the connection takes the next request', async () => {
    const text = await write([chunked, chunk, chunk, '0\r\n\r\n', next]);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"size":131072\}HTTP\/1\.1 200 .*\{"ok":true\}$/s);
  });
});

describe('a body that is too large', () => {
  test('by what it says is refused with its bound', async () => {
    const { status, bytes } = await post(Buffer.alloc(mostBytes + 1));
    expect([status, JSON.parse(bytes.toString())]).toEqual([
      413,
      { ok: false, code: 'too_large', error: 'The body is larger than 1 MB.' },
    ]);
    expect(handled).toEqual([]);
  });

  test('leaves the connection to the next request once it has run off', async () => {
    const declared = `${start}Content-Length: ${mostBytes + 1}\r\n\r\n`;
    const text = await write([declared, Buffer.alloc(mostBytes + 1), next]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"too_large".*HTTP\/1\.1 200 .*\{"ok":true\}$/s);
  });

  test('in chunks that say nothing of the size, too', async () => {
    const chunks = Array<Buffer>(20).fill(chunk);
    const text = await write([chunked, ...chunks, '0\r\n\r\n', next]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"too_large".*HTTP\/1\.1 200 .*\{"ok":true\}$/s);
    expect(handled).toEqual([]);
  });
});

test.each(['gzip', 'br', 'deflate'])('a body in %s is refused, however small', async (coding) => {
  const { status, bytes } = await post(Buffer.from('abc'), { 'content-encoding': coding });
  expect([status, JSON.parse(bytes.toString()).code]).toEqual([415, 'unsupported_media_type']);
  expect(handled).toEqual([]);
});

test('a body that says it is not compressed is taken', async () => {
  expect((await post(Buffer.from('abc'), { 'content-encoding': 'identity' })).status).toBe(200);
});

test('a body that breaks off reaches no handler, and the service goes on', async () => {
  await new Promise<void>((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write(`${start}Content-Length: 1000\r\n\r\nthe beginning`, () =>
        socket.resetAndDestroy(),
      );
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  expect((await post(Buffer.from('abc'))).status).toBe(200);
  expect(handled).toHaveLength(1);
});
