import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.js';
import { createSandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';

/** A sandbox that several gateways use, as they use a bank. */
export interface SandboxBank {
  readonly url: string;
  /** The operation has this status from now on. */
  force(id: string, status: string): Promise<void>;
  /** Replaces the faults; see docs/payments/rehearsing-faults.md. */
  disturb(faults: object): Promise<void>;
  /** How many faults are still to leave a call without an answer. */
  hangsLeft(): Promise<number>;
  close(): Promise<void>;
}

/** `speed`: how much faster than time things happen of themselves. */
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
      const answer = await (await fetch(`${server.url}/control/faults`)).json();
      const { faults } = answer as { faults: string[] }; // The sandbox's own answer.
      return faults.filter((fault) => fault.startsWith('hang')).length;
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
