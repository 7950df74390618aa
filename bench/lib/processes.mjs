// Starts the processes of a benchmark and stops them by their process IDs.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a process that prints URLs to stdout; returns the first URL, and a function that stops the process. */
async function startProcess(args, { env = {}, address = /http:\/\/\S+/ } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // The log is written as usual, but discarded.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const urls = [];
  for await (const line of lines) {
    const [url] = line.match(address) ?? [];
    if (url) urls.push(url);
    if (urls.length > 0) break;
  }
  if (urls.length === 0) throw new Error(`${args.join(' ')} exited before it printed an address.`);
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

/** Starts `msgsite serve --only site` on a free port without rate limits. */
export function startSite(dataFolder, env = {}) {
  const args = ['bin/msgsite.js', 'serve', '--only', 'site', '--port', '0', '--data', dataFolder];
  return startProcess(args, {
    env: { MSGSITE_RATE_LIMIT: 'off', ...env },
  });
}

/** Starts `msgsite serve --only gateway` on a free port without rate limits, with this provider. */
export function startGateway(dataFolder, { provider, webhooks, env = {} }) {
  const args = ['bin/msgsite.js', 'serve', '--only', 'gateway', '--gateway-port', '0'];
  const places = ['--data', dataFolder, '--provider', provider, '--webhooks', webhooks];
  return startProcess([...args, ...places], { env: { MSGSITE_RATE_LIMIT: 'off', ...env } });
}

/** Starts the simulated payment provider in its own process. */
export function startSandbox(dataFolder) {
  return startProcess(['bin/msgsite.js', 'sandbox', '--port', '0', '--data', dataFolder]);
}

/** Starts a baseline: the smallest program that returns the same responses. */
export function startFloor(name, env = {}) {
  return startProcess([`bench/lib/${name}.mjs`], { env });
}

/** Starts ten webhook receivers in their own process; webhook-receivers.mjs describes `ask`. */
export async function startReceivers() {
  const child = fork(fileURLToPath(new URL('webhook-receivers.mjs', import.meta.url)));
  const [{ ports }] = await once(child, 'message');
  return {
    ports,
    async ask(question) {
      child.send(question);
      const [{ counts }] = await once(child, 'message');
      return counts;
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
