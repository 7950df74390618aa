import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.js';
import { createSandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';

/** A sandbox that several gateways can use, like a bank. */
export interface SandboxBank {
  readonly url: string;
  /** Sets the status of an operation permanently. */
  force(id: string, status: string): Promise<void>;
  /** Replaces the simulated faults. See docs/payments/rehearsing-faults.md. */
  disturb(faults: object): Promise<void>;
  /** Returns the number of pending faults that leave a call without a response. */
  hangsLeft(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a sandbox. `speed` is the factor by which its events happen faster than in real time. */
export async function openSandboxBank(speed = 200): Promise<SandboxBank> {
  const clock = systemClock;
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-bank-'));
  const store = await openSandboxStore(folder, clock);
  const sandbox = createSandbox({ store, clock, speed, zone: 'Asia/Almaty' });
  const server = await openSandboxServer({ sandbox, host: '127.0.0.1', port: 0, clock });
  const control = async (method: string, path: string, body: object) => {
    const response = await fetch(`${server.url}/control/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    url: server.url,
    force: (id, status) => control('POST', `operations/${id}/force`, { status }),
    disturb: (faults) => control('PUT', 'faults', faults),
    async hangsLeft() {
      const body = await (await fetch(`${server.url}/control/faults`)).json();
      const { faults } = body as { faults: string[] }; // the sandbox's response
      return faults.filter((fault) => fault.startsWith('hang')).length;
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
