import { createTurns } from '../../base/turns.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { type RevokedTokenRecord, revokedBefore } from '../records.js';
import type { TokenStore } from '../store.js';
import type { JsonStoreOptions } from './user-store.js';

/** Revoked tokens in memory, until they expire. */
export async function openJsonTokenStore(options: Omit<JsonStoreOptions, 'tell'>) {
  const { clock } = options;
  const inTurn = createTurns<string>();
  /** Tokens issued before this time (ms) are all revoked. */
  let notBefore = 0;
  const revoked = await openCollection<RevokedTokenRecord>({
    ...options,
    ...options.collections.revokedTokens,
    isExpired: ({ expires }, now) => expires <= now,
    onPut: (record) => {
      notBefore = Math.max(notBefore, revokedBefore(record));
    },
  });
  const store = {
    revoke: (jti, expires, from = 0) =>
      inTurn(jti, async () => {
        const known = revoked.get(jti);
        if (known && (known.from ?? 0) <= from) return;
        await revoked.put({ jti, expires, ...(from === 0 ? {} : { from }) });
      }),
    isRevoked(jti, issued) {
      const record = revoked.get(jti);
      return issued < notBefore || (record !== undefined && (record.from ?? 0) <= clock.now());
    },
  } satisfies TokenStore;
  return { ...store, close: () => revoked.close() };
}
