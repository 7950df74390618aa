import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import type { TokenStore } from '../store.js';
import { lookUps } from './look-ups.js';

/** Logged-out tokens in the table `revoked_tokens`; see `sweepDatabase` for when they go. */
export function createPostgresTokenStore(database: Database): TokenStore {
  const isRevoked = createBatch<string, boolean>({
    ...lookUps,
    async run(jtis) {
      const rows = await database.run(
        'revoked tokens',
        (sql) => sql<{ jti: string }[]>`
          select jti from msgsite.revoked_tokens where jti = any(${[...new Set(jtis)]}::text[])`,
      );
      const revoked = new Set(rows.map(({ jti }) => jti));
      return jtis.map((jti) => revoked.has(jti));
    },
  });
  return {
    isRevoked,
    async revoke(jti, expires) {
      await database.run(
        'revoke a token',
        (sql) => sql`
          insert into msgsite.revoked_tokens (jti, expires_at)
          values (${jti}, ${new Date(expires)})
          on conflict do nothing`,
      );
    },
  };
}
