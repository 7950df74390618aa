import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import type { TokenStore } from '../store.js';

/** Logged-out tokens in the table `revoked_tokens`, until they expire. */
export function createPostgresTokenStore(database: Database): TokenStore {
  const revoked = createBatchedRead({
    database,
    name: 'revoked tokens',
    select: (sql, jtis: readonly string[]) =>
      sql<{ jti: string }[]>`
        select jti from msgsite.revoked_tokens where jti = any(${[...jtis]}::text[])`,
    keyOf: ({ jti }) => jti,
    toValue: () => true,
  });
  return {
    isRevoked: async (jti) => (await revoked(jti)) ?? false,
    async revoke(jti, expires) {
      await query(database, 'revoke a token')`
        insert into msgsite.revoked_tokens (jti, expires_at)
        values (${jti}, ${new Date(expires)})
        on conflict do nothing`;
    },
  };
}
