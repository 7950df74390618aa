import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServe } from '../helpers/msgsite-process.js';

export type KillableServer = Awaited<ReturnType<typeof startKillable>>;

/** Starts a site in a separate process. It keeps its address and data when it is killed and restarted. */
export async function startKillable() {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-chat-'));
  const env = {
    MSGSITE_PORT: await quietPort(),
    MSGSITE_DATA: join(folder, 'data'),
    MSGSITE_RATE_LIMIT: 'off',
    MSGSITE_BCRYPT_COST: '4',
  };
  const start = () => startServe(['--only', 'site'], { env, cwd: folder });
  let server = await start();
  return {
    site: server.site,
    kill: () => server.end('SIGKILL'),
    async restart(): Promise<void> {
      server = await start();
    },
    /** Kills the server, and deletes its data. */
    async close(): Promise<void> {
      await server.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a free port below the range for outgoing connections, so that no client connection can take it while the
 * server is down.
 */
export async function quietPort(): Promise<string> {
  for (;;) {
    const port = 20_000 + Math.floor(12_000 * Math.random());
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return String(port);
  }
}
