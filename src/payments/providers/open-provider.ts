import type { Clock } from '../../base/clock.js';
import { guardProvider } from './guard.js';
import { createHttpProvider } from './http.js';
import { loadProviderModule } from './module.js';
import type { PaymentProvider } from './provider.js';
import { createSandbox } from './sandbox/sandbox.js';
import type { SandboxStore } from './sandbox/store-json/open.js';

export interface OpenProviderOptions {
  /** `sandbox`, an http(s) address, or the absolute path of a module. */
  readonly provider: string;
  /** Opens what the sandbox keeps. */
  sandbox(): Promise<SandboxStore>;
  /** A folder of a module's own. */
  readonly folder: string;
  /** Milliseconds that a call may take. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly zone: string;
  readonly sandboxSpeed: number;
  /** What the sandbox does wrong; none by default. */
  readonly sandboxFaults?: readonly string[];
}

/** Calls at once at the provider, far above what 10,000 open payments need at 50 ms an answer (167 calls). @bound */
const concurrency = 1024;

/** Opens the provider that the setting names, guarded against hanging and against odd answers. */
export async function openProvider(options: OpenProviderOptions): Promise<PaymentProvider> {
  const { clock, timeout } = options;
  return guardProvider(await choose(options), { clock, timeout });
}

async function choose(options: OpenProviderOptions): Promise<PaymentProvider> {
  const { provider, folder, clock, zone, timeout, sandboxSpeed: speed } = options;
  if (provider === 'sandbox') {
    const { sandboxFaults: faults = [] } = options;
    return createSandbox({ store: await options.sandbox(), clock, speed, zone, faults }).provider;
  }
  if (/^https?:/.test(provider)) {
    return createHttpProvider({ baseUrl: provider, timeout, concurrency, clock });
  }
  return loadProviderModule(provider, { clock, zone, folder });
}
