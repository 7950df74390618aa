import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** Sends a request line that client libraries do not send. Returns the status, head and body of the response. */
async function ask(target: string, host = 'Host: localhost') {
  const socket = connect(Number(new URL(server.site).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  socket.write(`GET ${target} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

test.each([
  ['//', 404, 'not_found'],
  ['//evil.example/%2e%2e', 404, 'not_found'],
  ['///index.html', 404, 'not_found'],
  ['/%zz', 404, 'not_found'],
  ['*', 404, 'not_found'],
  ['http://', 400, 'bad_request'],
  ['http://[', 400, 'bad_request'],
  ['ftp://localhost/', 400, 'bad_request'],
  ['http://evil.example/health', 421, 'misdirected'],
])('GET %s returns %i', async (target, status, code) => {
  const answer = await ask(target);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ ok: false, code });
});

test('an absolute URL with the host of the server is handled like its path', async () => {
  expect((await ask('http://localhost/health')).body).toBe('{"ok":true,"status":"ok"}');
  expect((await ask('http://localhost/api/users?limit=0')).status).toBe(401);
});

test('an HTTP/1.1 request without a Host header returns 400 with the usual headers', async () => {
  const answer = await ask('/health', 'X-Other: localhost');
  expect(answer.status).toBe(400);
  expect(answer.head).toContain("frame-ancestors 'none'");
  expect(JSON.parse(answer.body)).toMatchObject({ ok: false, code: 'bad_request' });
});

test('a request with an unknown Expect header is handled like any other', async () => {
  const answer = await ask('/health', 'Host: localhost\r\nExpect: miracles');
  expect([answer.status, answer.body]).toEqual([200, '{"ok":true,"status":"ok"}']);
});

test('a request with two Host headers returns 400, regardless of their values', async () => {
  for (const second of ['localhost', 'evil.example', '']) {
    const answer = await ask('/health', `Host: localhost\r\nhost: ${second}`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, code: 'bad_request' });
  }
});
