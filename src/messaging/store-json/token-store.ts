import { createTurns } from '../../base/turns.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { type RevokedTokenRecord, revokedBefore } from '../records.js';
import type { TokenStore, UserStore } from '../store.js';
import type { JsonStoreOptions } from './user-store.js';

interface JsonTokenStoreOptions extends Omit<JsonStoreOptions, 'tell'> {
  readonly findUser: UserStore['find'];
}

/** Revoked tokens in memory, until they expire. */
export async function openJsonTokenStore(options: JsonTokenStoreOptions) {
  const { clock, findUser } = options;
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
  /** Not a promise: every request asks. */
  function isRevoked(jti: string, issued: number): boolean {
    const { from = 0 } = revoked.get(jti) ?? { from: Number.POSITIVE_INFINITY };
    return from <= clock.now() || issued < notBefore;
  }
  const store = {
    revoke: (jti, expires, from = 0) =>
      inTurn(jti, async () => {
        const known = revoked.get(jti);
        if (known && (known.from ?? 0) <= from) return;
        await revoked.put({ jti, expires, ...(from === 0 ? {} : { from }) });
      }),
    isRevoked: async (jti, issued) => isRevoked(jti, issued),
    holderOf: async ({ jti, issued, userId }) =>
      isRevoked(jti, issued) ? undefined : findUser(userId),
  } satisfies TokenStore;
  return { ...store, close: () => revoked.close() };
}
