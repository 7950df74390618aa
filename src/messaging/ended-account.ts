import { deriveKey } from './cipher.js';
import type { User } from './model.js';
import type { EndedAccount } from './store.js';

/**
 * What stays of an account that ends at a time (milliseconds). Its e-mail goes, which the keys of its texts are made
 * of: with the operator's scheme the key stays, else the texts are stored as they are.
 */
export function endOf(user: User, now: number, secret: string | undefined): EndedAccount {
  const key = deriveKey('secret', user, secret);
  return { at: new Date(now).toISOString(), ...(key ? { key: key.toString('hex') } : {}) };
}
