import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/open-log.js';
import { openListener } from '../../src/http/listener/listener.js';

/** Sends bytes to a listener that is reached over https. Returns the response and the log lines. */
async function send(bytes: string) {
  const lines: string[] = [];
  const destination = new Writable({
    write(line, _, done) {
      lines.push(String(line));
      done();
    },
  });
  const { log } = await openLog({ destination, pretty: false, level: 'info' });
  const app = new Koa();
  const shared = { app, host: '127.0.0.1', port: 0, clock: systemClock, log, https: true };
  const listener = await openListener({ ...shared, errorShape: 'site' });
  onTestFinished(() => listener.close());
  const socket = connect(listener.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return { answer, lines };
}

test.each([
  [
    'two Content-Length headers',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
  ],
  [
    'both Content-Length and Transfer-Encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a space after a header name', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
])('a request with %s is logged and rejected with the usual headers', async (_, bytes) => {
  const { answer, lines } = await send(bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain("frame-ancestors 'none'");
  expect(head).toContain('Strict-Transport-Security: max-age=31536000; includeSubDomains');
  expect(head).toContain('X-Content-Type-Options: nosniff');
  expect(JSON.parse(body)).toMatchObject({ ok: false, code: 'bad_request' });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 40,
      status: 400,
      code: 'bad_request',
      address: '127.0.0.1',
    }),
  ]);
});
