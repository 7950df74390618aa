import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { createRateLimiter } from '../../src/base/rate-limit.js';
import { type AppOptions, createApp } from '../../src/http/app.js';
import { type Listener, openListener } from '../../src/http/listener/listener.js';
import type { Route, RouteGroup } from '../../src/http/route/route.js';

/** Opens a real listener with a new app on a free port. Nothing is logged, and every caller is allowed. */
export async function openTestApp(
  options: Partial<AppOptions>,
  clock: Clock = systemClock,
): Promise<Listener> {
  const app = await createApp({
    groups: [],
    authenticators: {},
    rateLimiter: createRateLimiter(systemClock),
    log: silentLog(),
    errorShape: 'site',
    boundHost: '127.0.0.1',
    ownHosts: [],
    trustedProxies: [],
    corsOrigins: [],
    https: false,
    shutdown: new AbortController().signal,
    ...options,
  });
  return openListener({
    app,
    host: '127.0.0.1',
    port: 0,
    errorShape: 'site',
    clock,
    log: silentLog(),
    https: false,
  });
}

/** A route of `openTestApp`. Members that a test does not set have defaults. */
export type TestRoute = Pick<Route, 'path' | 'handle'> & Partial<Route>;

/** Returns routes as a group that an app serves. */
export function groupOf(routes: readonly TestRoute[]): RouteGroup {
  return {
    name: 'tests',
    description: 'Routes of a test.',
    errorShape: 'site',
    schema: 'http',
    validators: {},
    routes: routes.map((route, index) => ({
      method: 'GET',
      name: `route${index}`,
      summary: route.path,
      responses: { 200: null },
      ...route,
    })),
  };
}

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface RawOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request and returns the raw response. `fetch` would decompress it and add request headers. */
export function askRaw(
  url: string,
  { method, headers, body }: RawOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { method: method ?? 'GET', headers: { ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status, headers: answered } = response;
        resolve({ status, headers: answered, bytes: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Returns the text of a response in any encoding. */
export function textOf({ headers, bytes }: RawAnswer): string {
  const unpack = unpackers[headers['content-encoding'] ?? ''];
  return (unpack ? unpack(bytes) : bytes).toString();
}
