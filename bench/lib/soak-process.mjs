// Runs a `msgsite serve` that can be killed and restarted at the same addresses, and measures its memory and
// files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './processes.mjs';

/** Time within which a starting process must respond, in milliseconds. */
const startPatience = 60_000;

/** Starts a process on free ports. */
export async function startServed(name, { data, provider, webhooks, env }) {
  const [port, gatewayPort] = [await freePort(), await freePort()];
  const served = {
    name,
    site: `http://127.0.0.1:${port}`,
    gateway: `http://127.0.0.1:${gatewayPort}`,
    kills: 0,
    start,
    /** Kills the process, as a power cut would, and restarts it. */
    async kill() {
      served.kills += 1;
      await end('SIGKILL');
      await start();
    },
    stop: () => end('SIGTERM'),
    /** Replays failed deliveries. */
    replay: () => command('webhooks', 'replay', '--failed'),
    usage: () => usageOf(child.pid),
  };
  const ports = ['--port', String(port), '--gateway-port', String(gatewayPort)];
  const places = ['--data', data, '--webhooks', webhooks];
  const allEnv = {
    ...process.env,
    MSGSITE_RATE_LIMIT: 'off',
    MSGSITE_RECONCILE_AT: 'off',
    ...env,
  };
  let child;

  async function command(...words) {
    const running = spawn(process.execPath, ['bin/msgsite.js', ...words, ...places], {
      cwd: root,
      env: { ...allEnv, MSGSITE_WEBHOOK_TIMEOUT: '60' },
      stdio: 'ignore',
    });
    await once(running, 'exit');
  }

  async function start() {
    child = spawn(
      process.execPath,
      ['bin/msgsite.js', 'serve', ...ports, '--provider', provider, ...places],
      {
        cwd: root,
        env: allEnv,
        stdio: 'ignore',
      },
    );
    await answers(served.site, child);
    await answers(served.gateway, child);
  }

  async function end(signal) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  await start();
  return served;
}

async function answers(url, child) {
  const until = performance.now() + startPatience;
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return;
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`msgsite serve exited (${ended}) before it responded.`);
    if (performance.now() > until) throw new Error(`msgsite serve did not respond at ${url}.`);
    await delay(50);
  }
}

/** Returns the resident memory in MB and the number of open files, as Linux reports them. */
async function usageOf(pid) {
  const [status, files] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
  ]);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  return { megabytes: Number(kilobytes) / 1024, files: files.length };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
