import { pathToFileURL } from 'node:url';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { operationNames, type PaymentProvider } from './provider.js';

/** What a provider module's factory is given. */
export interface ProviderModuleContext {
  readonly clock: Clock;
  /** IANA zone of dates without one. */
  readonly zone: string;
  /** A folder that belongs to the provider; it may not exist yet. */
  readonly folder: string;
}

/** The default export of a provider module. */
export type ProviderFactory = (
  context: ProviderModuleContext,
) => PaymentProvider | Promise<PaymentProvider>;

/**
 * Loads a provider from a module given by its absolute path. A path that is no module, or a factory
 * whose provider lacks an operation, is a `configuration` error that says what is missing.
 */
export async function loadProviderModule(
  path: string,
  context: ProviderModuleContext,
): Promise<PaymentProvider> {
  const factory = await importFactory(path);
  const provider = await makeProvider(path, factory, context);
  const missing = [...operationNames, 'close'].filter((name) => !hasMethod(provider, name));
  if (missing.length === 0) return provider as PaymentProvider; // Every method of the port is there.
  throw new AppError('configuration', `The provider made by ${path} is not complete.`, {
    details: missing.map((name) => ({ path: '--provider', message: `lacks the method ${name}` })),
    hint: 'See docs/provider-module.md.',
  });
}

async function makeProvider(
  path: string,
  factory: ProviderFactory,
  context: ProviderModuleContext,
): Promise<unknown> {
  try {
    return await factory(context);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `The provider module ${path} does not start: ${reason}`, {
      hint: 'Its default export threw this; --verbose shows where.',
      cause,
    });
  }
}

async function importFactory(path: string): Promise<ProviderFactory> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `The provider module ${path} cannot be loaded: ${reason}`, {
      hint: '--provider takes sandbox, an http(s) address, or the path of a module.',
      cause,
    });
  }
  if (typeof loaded.default === 'function') return loaded.default as ProviderFactory; // Checked below by use.
  throw new AppError('configuration', `${path} has no function as its default export.`, {
    hint: 'See docs/provider-module.md.',
  });
}

function hasMethod(provider: unknown, name: string): boolean {
  return typeof (provider as Record<string, unknown> | null | undefined)?.[name] === 'function';
}
