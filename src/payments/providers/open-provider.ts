import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { guardProvider } from './guard.js';
import { createHttpProvider } from './http.js';
import { loadProviderModule } from './module.js';
import type { PaymentProvider } from './provider.js';
import { createSandbox } from './sandbox/sandbox.js';

export interface OpenProviderOptions {
  /** `sandbox`, an http(s) address, or the absolute path of a module. */
  readonly provider: string;
  /** The data directory; the sandbox keeps its state in `sandbox/`, a module in `provider/`. */
  readonly data: string;
  readonly clock: Clock;
  readonly zone: string;
  readonly sandboxSpeed: number;
}

/** Milliseconds one attempt over HTTP may take. */
const attemptTimeout = 10_000;
/** Milliseconds a whole call may take, a repeated attempt included. */
const callTimeout = 25_000;
/** Far above what 10,000 open payments need at 50 ms an answer (167 calls under way). */
const concurrency = 1024;

/** Opens the provider that the setting names, guarded against hanging and against odd answers. */
export async function openProvider(options: OpenProviderOptions): Promise<PaymentProvider> {
  const { clock } = options;
  return guardProvider(await choose(options), { clock, timeout: callTimeout });
}

async function choose(options: OpenProviderOptions): Promise<PaymentProvider> {
  const { provider, data, clock, zone, sandboxSpeed: speed } = options;
  if (provider === 'sandbox') {
    return (await createSandbox({ folder: join(data, 'sandbox'), clock, speed, zone })).provider;
  }
  if (/^https?:/.test(provider)) {
    return createHttpProvider({ baseUrl: provider, timeout: attemptTimeout, concurrency });
  }
  return loadProviderModule(provider, { clock, zone, folder: join(data, 'provider') });
}
