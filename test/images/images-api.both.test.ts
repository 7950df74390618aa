import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { madePng, pictureOf, plain } from './pictures.js';

let server: TestServer;
let api: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  api = await createApiClient(server.site);
});
afterAll(() => server.close());

async function upload(bytes: Buffer, headers: Readonly<Record<string, string>> = {}, to = server) {
  const response = await fetch(`${to.site}/api/admin/images`, {
    method: 'POST',
    headers,
    body: bytes,
  });
  // biome-ignore lint/suspicious/noExplicitAny: addresses or an error, which the tests distinguish.
  const body: any = await response.json();
  return { status: response.status, body };
}

const address = (width: number) =>
  expect.stringMatching(RegExp(`^/media/[0-9a-f]{32}-${width}\\.webp$`));
const urls = { 400: address(400), 800: address(800), 1600: address(1600) };

describe('an upload', () => {
  it('returns the addresses of all sizes, and is not processed again for the same picture', async () => {
    const bytes = await plain(1000, 500).jpeg().toBuffer();
    const first = await upload(bytes, { 'Content-Type': 'text/html' });
    expect([first.status, first.body]).toEqual([201, { ok: true, data: { urls } }]);
    const second = await upload(bytes);
    expect([second.status, second.body]).toEqual([200, first.body]);
    const widths = await Promise.all(
      Object.values<string>(first.body.data.urls).map(async (url) => {
        const picture = await fetch(server.site + url);
        return (await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).width;
      }),
    );
    expect(widths).toEqual([400, 800, 1000]);
  });

  it('of the same picture by several clients simultaneously is stored once', async () => {
    const bytes = await pictureOf(1);
    const responses = await Promise.all([upload(bytes), upload(bytes), upload(bytes)]);
    for (const { status, body } of responses) {
      expect([200, 201]).toContain(status);
      expect(body).toEqual(responses[0]?.body);
    }
  });

  it.each<[string, () => Buffer | Promise<Buffer>, number, string]>([
    ['a GIF', () => Buffer.from('GIF89a'), 415, 'unsupported_media_type'],
    [
      'HTML declared as a JPEG',
      () => Buffer.from('<!doctype html>'),
      415,
      'unsupported_media_type',
    ],
    ['an empty body', () => Buffer.alloc(0), 415, 'unsupported_media_type'],
    [
      'half a JPEG',
      async () => (await plain(600, 600).jpeg().toBuffer()).subarray(0, 700),
      400,
      'bad_request',
    ],
    ['a picture of more than 50 megapixels', () => madePng(10_000, 5001, 1), 413, 'too_large'],
    ['more than 5 MB', () => Buffer.alloc(5 * 1024 * 1024 + 1, 0xff), 413, 'too_large'],
  ])('of %s is rejected', async (_, bytes, status, code) => {
    const response = await upload(await bytes(), { 'Content-Type': 'image/jpeg' });
    expect([response.status, response.body]).toEqual([
      status,
      { ok: false, code, error: expect.stringMatching(/\.$/) },
    ]);
  });

  it('that is interrupted leaves nothing behind, and the next one succeeds', async () => {
    const bytes = await pictureOf(2);
    const sending = request(`${server.site}/api/admin/images`, {
      method: 'POST',
      headers: { 'Content-Length': bytes.length },
    });
    sending.on('error', () => {});
    sending.write(bytes.subarray(0, bytes.length - 1));
    await new Promise((resolve) => {
      sending.once('socket', () => sending.destroy());
      sending.once('close', resolve);
    });
    expect((await upload(bytes)).status).toBe(201);
  });

  it('requires the admin token before its body is read', async () => {
    const token = 'open sesame, please!';
    const guarded = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: token }, only: 'site' });
    const bytes = await pictureOf(3);
    const large = Buffer.alloc(6 * 1024 * 1024);
    expect((await upload(bytes, {}, guarded)).status).toBe(401);
    expect((await upload(large, {}, guarded)).body.code).toBe('unauthorized');
    const { status, body } = await upload(bytes, { Authorization: `Bearer ${token}` }, guarded);
    expect(status).toBe(201);
    expect((await fetch(`${guarded.site}${body.data.urls[400]}`)).status).toBe(200);
    expect((await fetch(`${guarded.site}/api/admin/images`)).status).toBe(401);
    await guarded.close();
  });
});

it('the pictures API reports its availability, types and maximum size', async () => {
  expect((await api('GET', '/api/admin/images')).body).toEqual({
    ok: true,
    data: {
      available: true,
      mostBytes: 5 * 1024 * 1024,
      types: ['image/jpeg', 'image/png', 'image/webp'],
    },
  });
});

describe('a picture', () => {
  let path: string;
  beforeAll(async () => {
    path = (await upload(await pictureOf(4))).body.data.urls[800];
  });

  it('is served as immutable, with nosniff and an ETag', async () => {
    const { status, headers } = await fetch(server.site + path, {
      headers: { 'Accept-Encoding': 'br, gzip' },
    });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'content-length': expect.stringMatching(/^\d+$/),
    });
    expect(headers.get('content-encoding')).toBeNull();
    const etag = headers.get('etag') ?? '';
    const again = await fetch(server.site + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(server.site + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      headers.get('content-length'),
    ]);
  });

  it.each([
    (name: string) => `/media/${name}-801.webp`,
    (name: string) => `/media/${name}-800.webp.`,
    (name: string) => `/media/${name}-800`,
    (name: string) => `/media/${name}`,
    (name: string) => `/media/${name}.picture`,
    (name: string) => `/media/${name.toUpperCase()}-800.webp`,
    (name: string) => `/media/..%2fmedia%2f${name}-800.webp`,
    () => '/media/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    () => `/media/${'0'.repeat(32)}-800.webp`,
    () => `/media/${'a'.repeat(5000)}`,
    () => '/media/%00',
    () => '/media/',
    () => '/media.json',
  ])('is not served at other addresses: %s', async (make) => {
    const [, name = ''] = /\/media\/(\w+)-/.exec(path) ?? [];
    expect((await fetch(server.site + make(name))).status).toBe(404);
  });

  it('is available after a restart', async () => {
    const data = await mkdtemp(join(tmpdir(), 'msgsite-images-'));
    const first = await startTestServer({ data, only: 'site' });
    const { body } = await upload(await pictureOf(5), {}, first);
    const before = await (await fetch(first.site + body.data.urls[1600])).arrayBuffer();
    await first.close();
    const second = await startTestServer({ data, only: 'site' });
    const after = await fetch(second.site + body.data.urls[1600]);
    expect(Buffer.from(await after.arrayBuffer()).equals(Buffer.from(before))).toBe(true);
    expect((await upload(await pictureOf(5), {}, second)).status).toBe(200);
    await second.close();
  });
});
