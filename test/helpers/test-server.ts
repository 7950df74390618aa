import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { type Logger, silentLog } from '../../src/base/log.js';
import { readConfig } from '../../src/config/config.js';
import { createTestDatabase } from './test-database.js';

export interface TestServerOptions {
  /** Environment variables in addition to those of every test server. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to serve; by default a new one, removed on close. */
  readonly data?: string;
  readonly demo?: boolean;
  readonly only?: 'site' | 'gateway';
  readonly clock?: Clock;
  /** By default, nothing is logged. */
  readonly log?: Logger;
}

export interface TestServer {
  readonly site: string;
  readonly gateway: string;
  /** Address of the metrics; '' if `env` does not enable them. */
  readonly metrics: string;
  readonly data: string;
  close(): Promise<void>;
}

/** Databases by data folder, so that serving a folder again uses the same storage. */
const databases = new Map<string, Promise<string>>();

/** Returns the storage settings of a server. In the project `postgres`, every server has a database. */
async function storageFor(data: string): Promise<Readonly<Record<string, string>>> {
  if (!inject('postgres')) return {};
  const database = databases.get(data) ?? createTestDatabase();
  databases.set(data, database);
  return { MSGSITE_DATABASE: await database };
}

/** Starts the real server in this process, with real listeners on free ports and a temporary data folder. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-test-'));
  const data = options.data ?? join(folder, 'data');
  const env = {
    ...(await storageFor(data)),
    MSGSITE_PORT: '0',
    MSGSITE_GATEWAY_PORT: '0',
    MSGSITE_DATA: data,
    MSGSITE_WEBHOOKS: join(folder, 'webhooks.json'),
    MSGSITE_BCRYPT_COST: '4',
    ...options.env,
  };
  const { demo = false, only, clock = systemClock, log = silentLog() } = options;
  const config = readConfig({ flags: {}, env, cwd: folder });
  const server: RunningServer = await startServer({
    config,
    environment: env,
    log,
    clock,
    demo,
    ...(only ? { only } : {}),
  });
  return {
    site: server.urls.site ?? '',
    gateway: server.urls.gateway ?? '',
    metrics: server.urls.metrics ?? '',
    data,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
