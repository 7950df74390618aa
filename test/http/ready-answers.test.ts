import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readyText } from '../../src/http/answer/ready-text.js';
import { prepareReply } from '../../src/http/answer/reply.js';
import type { Listener } from '../../src/http/listener/listener.js';
import type { AnsweredRequest } from '../../src/http/metrics/request-metrics.js';
import { askRaw, groupOf, openTestApp, type RawAnswer } from '../helpers/test-app.js';

const data = Array.from({ length: 50 }, (_, id) => ({ id, words: 'bread' }));
const list = prepareReply(() => ({ ok: true, data }));
const short = prepareReply(() => ({ ok: true }));
const page = {
  status: 200,
  ready: readyText(`<!doctype html>${'<p>bread and tea'.repeat(100)}`),
  tail: '<p>for you</html>',
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Cookie' },
};

let handled = 0;
/** A handler that counts its calls. */
const counting =
  <Reply>(handle: () => Reply) =>
  () => {
    handled += 1;
    return handle();
  };
const routes = groupOf([
  { path: '/api/list', ready: list.now, handle: counting(list.current) },
  { path: '/api/short', ready: short.now, handle: counting(short.current) },
  { path: '/page', page: true, ready: () => page, handle: counting(() => page) },
]);

const seen: AnsweredRequest[] = [];
let listener: Listener;

beforeAll(async () => {
  const trustedProxies = ['127.0.0.0/8'];
  const observe = (request: AnsweredRequest) => void seen.push(request);
  listener = await openTestApp({ groups: [routes], trustedProxies, observe });
});
afterAll(() => listener.close());
beforeEach(() => {
  handled = 0;
});

/** Returns all of an answer except its date and request id. */
function same({ status, headers, bytes }: RawAnswer) {
  const { date, 'x-request-id': id, ...others } = headers;
  expect([date, id]).toEqual([expect.any(String), expect.any(String)]);
  return { status, others, text: bytes.toString('base64') };
}

const paths = ['/api/list', '/api/short', '/page'];
const codings = ['br', 'gzip', 'identity', 'br;q=0.5, gzip'];
const cases = paths.flatMap((path) => codings.map((coding) => [path, coding] as const));

test.each(cases)(
  'the prepared answer of %s in %s equals that of its route, which is not called',
  async (path, coding) => {
    const headers = { 'accept-encoding': coding };
    // A query, though empty, is for the route to read; this makes the coded form, too.
    const whole = await askRaw(`${listener.url}${path}?`, { headers });
    const { etag = '' } = whole.headers;
    for (const known of ['', etag, '*', '"another"', `"another", ${etag}`]) {
      const more = known === '' ? headers : { ...headers, 'if-none-match': known };
      const routed = await askRaw(`${listener.url}${path}?`, { headers: more });
      const before = handled;
      const ready = await askRaw(listener.url + path, { headers: more });
      expect(handled).toBe(before);
      expect(same(ready)).toEqual(same(routed));
    }
  },
);

test('a prepared answer is made by its route when it is missing', async () => {
  list.invalidate();
  const answer = await askRaw(`${listener.url}/api/list`);
  expect(JSON.parse(answer.bytes.toString()).data).toHaveLength(50);
  expect(handled).toBe(1);
});

test("a prepared answer is counted under its route and keeps the client's request id", async () => {
  await askRaw(`${listener.url}/api/list?`);
  seen.length = 0;
  const headers = { 'x-request-id': 'given-by-a-proxy' };
  const answer = await askRaw(`${listener.url}/api/list`, { headers });
  expect(answer.headers['x-request-id']).toBe('given-by-a-proxy');
  expect(seen).toMatchObject([{ method: 'GET', route: '/api/list', status: 200 }]);
});

test('a prepared answer is refused for an unknown host', async () => {
  await askRaw(`${listener.url}/api/list?`);
  const answer = await askRaw(`${listener.url}/api/list`, { headers: { host: 'evil.example' } });
  expect(answer.status).toBe(421);
});

test('a prepared answer has Strict-Transport-Security over https only', async () => {
  await askRaw(`${listener.url}/api/list?`);
  const headers = { 'x-forwarded-proto': 'https' };
  const secure = await askRaw(`${listener.url}/api/list`, { headers });
  const open = await askRaw(`${listener.url}/api/list`);
  expect(secure.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  expect(open.headers['strict-transport-security']).toBeUndefined();
});

test('HEAD of a prepared answer has the same headers and no body', async () => {
  await askRaw(`${listener.url}/api/list?`);
  const whole = await askRaw(`${listener.url}/api/list`);
  const head = await askRaw(`${listener.url}/api/list`, { method: 'HEAD' });
  expect(same(head)).toEqual({ ...same(whole), text: '' });
});

test('a prepared answer has the CORS headers for listed origins', async () => {
  const origin = 'https://shop.example';
  const open = await openTestApp({ groups: [routes], corsOrigins: [origin] });
  const answer = await askRaw(`${open.url}/api/list`, { headers: { origin } });
  await open.close();
  expect(answer.headers['access-control-allow-origin']).toBe(origin);
  expect(answer.headers.vary).toContain('Origin');
});
