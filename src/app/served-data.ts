import { AppError } from '../base/errors.js';
import { readDataLock } from '../storage/json/ownership/data-lock.js';
import { addressOfSite } from './site-address.js';
import type { StorageOptions } from './storage.js';

/** What a server calls itself in the lock of its folder. */
const served = 'msgsite serve';

/** What a server holds in memory, and the part of the admin page that does what a command was to do. */
interface HeldByServer {
  readonly what: string;
  readonly section: string;
}

/**
 * To be given the failure of opening data for a command: `data_in_use` says what to do instead, with the address of
 * the admin page; what else stands in the way is rethrown.
 */
export async function rethrowInUse(
  error: unknown,
  { config }: StorageOptions,
  { what, section }: HeldByServer,
): Promise<never> {
  if (!(error instanceof AppError) || error.code !== 'data_in_use') throw error;
  const holder = await readDataLock(config.data);
  const isServed = holder === undefined || holder.label === served;
  const hint = isServed
    ? `A server holds ${what} in memory: use its admin page (by these settings ${addressOfSite(config)}/admin.html#${section}), or stop it and run this again.`
    : 'Wait until that command has ended, or stop it.';
  throw new AppError('data_in_use', error.message, { hint, cause: error });
}
