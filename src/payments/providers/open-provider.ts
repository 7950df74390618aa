import { pathToFileURL } from 'node:url';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { guardProvider } from './guard.js';
import { createHttpProvider } from './http.js';
import type { PaymentProvider } from './provider.js';
import { operationNames, providerOperations } from './provider.js';
import { createSandbox } from './sandbox/sandbox.js';
import type { SandboxStore } from './sandbox/store-json/open.js';

export interface OpenProviderOptions {
  /** `sandbox`, an http(s) address, or the absolute path of a module. */
  readonly provider: string;
  /** Opens the sandbox's store. */
  sandbox(): Promise<SandboxStore>;
  /** The folder for a custom module. */
  readonly folder: string;
  /** Time limit of a call, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly zone: string;
  readonly sandboxSpeed: number;
  /** The sandbox's faults; none by default. */
  readonly sandboxFaults?: readonly string[];
}

/** Maximum number of concurrent calls to the provider. 10,000 open payments require 167 at 50 ms per call. @bound */
const concurrency = 1024;

/** Opens the configured provider, with timeouts and validated answers. */
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

/** The argument of a provider module's factory. */
interface ProviderModuleContext {
  readonly clock: Clock;
  /** IANA time zone for dates without one. */
  readonly zone: string;
  /** A folder for the provider, which may not exist yet. */
  readonly folder: string;
}

/**
 * Loads a provider from a module at an absolute path, whose default export is a factory. Throws a `configuration` error
 * for an invalid module, or for a provider without a required operation.
 */
export async function loadProviderModule(
  path: string,
  context: ProviderModuleContext,
): Promise<PaymentProvider> {
  const { default: factory } = await attempt<{ readonly default?: unknown }>(
    () => import(pathToFileURL(path).href),
    `The provider module ${path} cannot be loaded`,
    '--provider accepts sandbox, an http(s) address, or the path of a module.',
  );
  if (typeof factory !== 'function') {
    throw new AppError('configuration', `The default export of ${path} is not a function.`, {
      hint: 'See docs/payments/provider-module.md.',
    });
  }
  const provider = await attempt<unknown>(
    () => factory(context),
    `The provider module ${path} failed to start`,
    'Its default export threw this error. --verbose shows where.',
  );
  const required = operationNames.filter((name) => !providerOperations[name].optional);
  const missing = [...required, 'close'].filter((name) => !hasMethod(provider, name));
  // Every required method exists. The guard handles a missing optional one.
  if (missing.length === 0) return provider as PaymentProvider;
  throw new AppError('configuration', `The provider of ${path} is incomplete.`, {
    details: missing.map((name) => ({ path: '--provider', message: `lacks the method ${name}` })),
    hint: 'See docs/payments/provider-module.md.',
  });
}

async function attempt<Result>(
  work: () => Result | Promise<Result>,
  failure: string,
  hint: string,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `${failure}: ${reason}`, { hint, cause });
  }
}

function hasMethod(provider: unknown, name: string): boolean {
  return typeof (provider as Record<string, unknown> | null | undefined)?.[name] === 'function';
}
