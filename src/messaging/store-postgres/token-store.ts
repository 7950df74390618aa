import type { Clock } from '../../base/clock.js';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { revokedBefore } from '../records.js';
import type { TokenStore } from '../store.js';

/** The end of the last year that times have four digits for; what never expires is kept until then. */
export const lastTime = Date.UTC(10_000, 0) - 1;

/** Revoked tokens in the table `revoked_tokens`, until they expire. */
export function createPostgresTokenStore(database: Database, clock: Clock): TokenStore {
  /** Until when (ms) revoked tokens are good. */
  const readEnd = createBatchedRead({
    database,
    name: 'revoked tokens',
    select: (sql, jtis: readonly string[]) =>
      sql<{ jti: string; goodUntil: number }[]>`
        select jti, good_until from msgsite.revoked_tokens
        where jti = any(${[...jtis]}::text[])`,
    keyOf: ({ jti }) => jti,
    toValue: ({ goodUntil }) => goodUntil,
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
      if (issued < notBefore) return true;
      const end = await readEnd(jti);
      return end !== undefined && end <= clock.now();
    },
    async revoke(jti, expires, from = 0) {
      await query(database, 'revoke a token')`
        insert into msgsite.revoked_tokens as known (jti, expires_at, good_until)
        values (${jti}, ${new Date(Math.min(expires, lastTime))}, ${from})
        on conflict (jti) do update set good_until = excluded.good_until
        where known.good_until > excluded.good_until`;
    },
  };
}
