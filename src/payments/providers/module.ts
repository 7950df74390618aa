import { pathToFileURL } from 'node:url';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { operationNames, type PaymentProvider, providerOperations } from './provider.js';

/** What a provider module's factory is given. */
export interface ProviderModuleContext {
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
      hint: 'See docs/provider-module.md.',
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
    hint: 'See docs/provider-module.md.',
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
