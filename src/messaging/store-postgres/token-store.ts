import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { revokedBefore } from '../records.js';
import type { TokenStore } from '../store.js';

/** The end of the last year that times have four digits for; what never expires is kept until then. */
export const lastTime = Date.UTC(10_000, 0) - 1;

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
  /** Tokens issued before this time (ms) are all revoked. Only an import brings such records: it is read once. */
  let notBefore: number | undefined;
  async function readNotBefore(): Promise<number> {
    const rows = await query<{ jti: string }>(database, 'revocations of all tokens')`
      select jti from msgsite.revoked_tokens where expires_at >= ${new Date(lastTime)}`;
    return Math.max(0, ...rows.map(revokedBefore));
  }

  return {
    async isRevoked(jti, issued) {
      notBefore ??= await readNotBefore();
      return issued < notBefore || ((await revoked(jti)) ?? false);
    },
    async revoke(jti, expires) {
      await query(database, 'revoke a token')`
        insert into msgsite.revoked_tokens (jti, expires_at)
        values (${jti}, ${new Date(expires)})
        on conflict do nothing`;
    },
  };
}
