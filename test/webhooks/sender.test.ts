import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createWebhookSender, type SenderOptions } from '../../src/webhooks/delivering/sender.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { answer, type Behaviour, startReceiver } from './receiver.js';

const never = new AbortController().signal;

function senderWith(changes: Partial<SenderOptions> = {}) {
  return createWebhookSender({
    clock: systemClock,
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    ...changes,
  });
}

function requestTo(url: string) {
  const body = '{"a":1}';
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '7' };
  return { url, body, headers, mayReuse: true };
}

async function sendTo(behaviour: Behaviour) {
  const receiver = await startReceiver(behaviour);
  return senderWith().send(requestTo(receiver.url), never);
}

describe('the webhook sender', () => {
  it('returns the status and the start of the body', async () => {
    const result = await sendTo(answer(201, 'thanks'));
    expect(result).toMatchObject({ status: 201, error: null, response: 'thanks' });
  });

  it('keeps 1 KB of the response, cut between characters', async () => {
    const result = await sendTo(answer(500, 'ж'.repeat(511) + '₸'.repeat(40_000)));
    expect(result?.status).toBe(500);
    expect(result?.response).toBe('ж'.repeat(511));
  });

  it('stops reading an endless response after 64 KB and uses its status', async () => {
    let written = 0;
    const result = await sendTo((response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
      };
      response.on('drain', write);
      write();
    });
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result?.response).toHaveLength(1024);
    expect(written).toBeLessThan(50_000_000);
  });

  it.each([
    ['one header without an end', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'X-More: x\r\n'.repeat(20_000)}\r\n`],
  ])('treats a response with %s as a failure', async (_, bytes) => {
    const result = await sendTo((response) => void response.socket?.write(bytes));
    expect(result).toMatchObject({ status: null, error: expect.any(String), response: null });
  });

  it('accepts a name with 10,000 addresses', async () => {
    const receiver = await startReceiver();
    const addresses = Array.from({ length: 10_000 }, () => ({ address: '127.0.0.1', family: 4 }));
    const sender = senderWith({ resolve: (_name, callback) => callback(null, addresses) });
    const url = receiver.url.replace('127.0.0.1', 'many.example');
    expect(await sender.send(requestTo(url), never)).toMatchObject({ status: 200 });
  });

  it('does not follow a redirect', async () => {
    const target = await startReceiver();
    const result = await sendTo(answer(307, '', { Location: target.url }));
    expect(result?.status).toBe(307);
    expect(target.received).toHaveLength(0);
  });

  it.each<[string, Behaviour, object]>([
    [
      'a connection that is reset before the response',
      (_response, _number, request) => void request.socket.resetAndDestroy(),
      { status: null, error: 'connection reset' },
    ],
    [
      'a connection that is reset during the response',
      (response, _number, request) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('begin');
        setTimeout(() => request.socket.resetAndDestroy(), 50);
      },
      { status: 200, error: 'connection reset', response: 'begin' },
    ],
    [
      'a response that is not HTTP',
      (_response, _number, request) => void request.socket.end('SSH-2.0-OpenSSH_9\r\n'),
      { status: null, error: expect.stringContaining('HPE_') },
    ],
  ])('reports %s', async (_name, behaviour, expected) => {
    expect(await sendTo(behaviour)).toMatchObject(expected);
  });

  it('reports a refused connection and a name that does not resolve', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const refused = await senderWith().send(requestTo(receiver.url), never);
    expect(refused).toMatchObject({ status: null, error: 'connection refused' });
    const resolve: SenderOptions['resolve'] = (_name, callback) => {
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    };
    const unknown = await senderWith({ resolve }).send(requestTo('http://nowhere.test/'), never);
    expect(unknown?.error).toBe('the name does not resolve');
  });

  it.each<[string, Behaviour]>([
    ['never responds', () => {}],
    [
      'sends its response slowly',
      (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('times out if the receiver %s', async (_name, behaviour) => {
    const clock = createManualClock();
    const receiver = await startReceiver(behaviour);
    const result = senderWith({ clock }).send(requestTo(receiver.url), never);
    await expect.poll(() => receiver.received).toHaveLength(1);
    await clock.advance(9_999);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    expect(await result).toMatchObject({
      error: 'no complete response within 10 s',
      durationMs: 10_000,
    });
  });

  it('returns no result for an aborted attempt', async () => {
    const receiver = await startReceiver(() => {});
    const cut = new AbortController();
    const result = senderWith().send(requestTo(receiver.url), cut.signal);
    await expect.poll(() => receiver.received).toHaveLength(1);
    cut.abort();
    expect(await result).toBeNull();
    expect(await senderWith().send(requestTo(receiver.url), cut.signal)).toBeNull();
    expect(receiver.received).toHaveLength(1);
  });

  it('reuses a connection unless mayReuse is false', async () => {
    const sockets = new Set<unknown>();
    const receiver = await startReceiver((response, _number, request) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const sender = senderWith();
    const request = requestTo(receiver.url);
    for (let count = 0; count < 2; count++) await sender.send(request, never);
    expect(sockets.size).toBe(1);
    await sender.send({ ...request, mayReuse: false }, never);
    expect(sockets.size).toBe(2);
    sender.close();
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data', /link-local/],
    ['http://[::ffff:169.254.169.254]/', /metadata|link-local/],
    ['http://2852039166/', /link-local/],
    ['http://metadata.test/', /link-local/],
  ])('never connects to %s', async (url, reason) => {
    const resolve: SenderOptions['resolve'] = (_name, callback) => {
      callback(null, [{ address: '169.254.169.254', family: 4 }]);
    };
    const result = await senderWith({ resolve }).send(requestTo(url), never);
    expect(result?.status).toBeNull();
    expect(result?.error).toMatch(reason);
  });

  it('connects to loopback addresses unless private addresses are denied', async () => {
    const receiver = await startReceiver();
    const denying = senderWith({ privateAddresses: 'deny' });
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      const result = await denying.send(requestTo(`http://${host}:${port}/`), never);
      expect(result?.error).toMatch(/not a public address/);
    }
    expect(receiver.received).toHaveLength(0);
    expect(await senderWith().send(requestTo(receiver.url), never)).toMatchObject({ status: 200 });
  });
});
