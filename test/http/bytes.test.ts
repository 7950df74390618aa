import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, groupOf, openTestApp } from '../helpers/test-app.js';

const maxBytes = 1024 * 1024;
const handled: Buffer[] = [];
const routes = groupOf([
  {
    path: '/pictures',
    method: 'POST',
    content: { types: ['image/png'], maxBytes },
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

/** Writes the pieces in order and returns everything that is received until the connection ends. */
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
/** A chunk of 64 KB. */
const chunk = Buffer.concat([
  Buffer.from('10000\r\n'),
  Buffer.alloc(65_536, 'x'),
  Buffer.from('\r\n'),
]);

describe('a raw body', () => {
  test.each([0, 1, maxBytes])('of %i bytes is passed to the handler unchanged', async (size) => {
    const body = Buffer.alloc(size, 0xff);
    const { status, bytes } = await post(body);
    expect([status, JSON.parse(bytes.toString())]).toEqual([200, { size }]);
    expect(handled[0]?.equals(body)).toBe(true);
  });

  test.each(['application/json', 'text/plain', 'image/png', 'anything'])(
    'is passed to the handler unchanged with the content type %s',
    async (type) => {
      const body = Buffer.from('{"not": "parsed"');
      expect((await post(body, { 'content-type': type })).status).toBe(200);
      expect(handled[0]?.equals(body)).toBe(true);
    },
  );

  test('may be sent in chunks, and the connection accepts the next request', async () => {
    const text = await write([chunked, chunk, chunk, '0\r\n\r\n', next]);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"size":131072\}HTTP\/1\.1 200 .*\{"ok":true\}$/s);
  });
});

describe('a raw body that is too large', () => {
  test('is rejected based on its declared length, and the response states the limit', async () => {
    const { status, bytes } = await post(Buffer.alloc(maxBytes + 1));
    expect([status, JSON.parse(bytes.toString())]).toEqual([
      413,
      { ok: false, code: 'too_large', error: 'The body is larger than 1 MB.' },
    ]);
    expect(handled).toEqual([]);
  });

  test('does not prevent the next request on the connection', async () => {
    const declared = `${start}Content-Length: ${maxBytes + 1}\r\n\r\n`;
    const text = await write([declared, Buffer.alloc(maxBytes + 1), next]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"too_large".*HTTP\/1\.1 200 .*\{"ok":true\}$/s);
  });

  test('is rejected if it is sent in chunks without a declared length', async () => {
    const chunks = Array<Buffer>(20).fill(chunk);
    const text = await write([chunked, ...chunks, '0\r\n\r\n', next]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"too_large".*HTTP\/1\.1 200 .*\{"ok":true\}$/s);
    expect(handled).toEqual([]);
  });
});

test.each(['gzip', 'br', 'deflate'])(
  'a raw body that is compressed with %s is rejected',
  async (coding) => {
    const { status, bytes } = await post(Buffer.from('abc'), { 'content-encoding': coding });
    expect([status, JSON.parse(bytes.toString()).code]).toEqual([415, 'unsupported_media_type']);
    expect(handled).toEqual([]);
  },
);

test('a raw body with Content-Encoding identity is accepted', async () => {
  expect((await post(Buffer.from('abc'), { 'content-encoding': 'identity' })).status).toBe(200);
});

test('a raw body that is interrupted is not handled, and the next request is served', async () => {
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
