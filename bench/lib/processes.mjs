// Starts what a benchmark measures, each in a process of its own, and ends it by its process id.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A process whose stdout prints an address; gives the first one, and a way to end it. */
async function startProcess(args, { env = {}, address = /http:\/\/\S+/ } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // The log is written as always, to nowhere.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const urls = [];
  for await (const line of lines) {
    const [url] = line.match(address) ?? [];
    if (url) urls.push(url);
    if (urls.length > 0) break;
  }
  if (urls.length === 0) throw new Error(`${args.join(' ')} ended before it printed an address.`);
  return {
    url: urls[0],
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** `msgsite serve --only site` on a free port. Its limits are off. */
export function startSite(dataFolder, env = {}) {
  const args = ['bin/msgsite.js', 'serve', '--only', 'site', '--port', '0', '--data', dataFolder];
  return startProcess(args, {
    env: { MSGSITE_RATE_LIMIT: 'off', ...env },
  });
}

/** A floor: the smallest program that could give the same answers. */
export function startFloor(name, env = {}) {
  return startProcess([`bench/lib/${name}.mjs`], { env });
}
