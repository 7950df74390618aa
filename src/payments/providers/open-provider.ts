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

/** What a provider module's factory is given. */
interface ProviderModuleContext {
  readonly clock: Clock;
  /** IANA zone of dates without one. */
  readonly zone: string;
  /** A folder that belongs to the provider; it may not exist yet. */
  readonly folder: string;
}

/**
 * Loads a provider from a module given by its absolute path, whose default export makes it. A path that is no module, or a factory
 * whose provider lacks an operation, is a `configuration` error that says what is missing.
 */
export async function loadProviderModule(
  path: string,
  context: ProviderModuleContext,
): Promise<PaymentProvider> {
  const { default: factory } = await attempt<{ readonly default?: unknown }>(
    () => import(pathToFileURL(path).href),
    `The provider module ${path} cannot be loaded`,
    '--provider takes sandbox, an http(s) address, or the path of a module.',
  );
  if (typeof factory !== 'function') {
    throw new AppError('configuration', `${path} has no function as its default export.`, {
      hint: 'See docs/payments/provider-module.md.',
    });
  }
  const provider = await attempt<unknown>(
    () => factory(context),
    `The provider module ${path} does not start`,
    'Its default export threw this; --verbose shows where.',
  );
  const needed = operationNames.filter((name) => !providerOperations[name].optional);
  const missing = [...needed, 'close'].filter((name) => !hasMethod(provider, name));
  // Every method that a provider must have is there; the guard answers for one that is left out.
  if (missing.length === 0) return provider as PaymentProvider;
  throw new AppError('configuration', `The provider made by ${path} is not complete.`, {
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
