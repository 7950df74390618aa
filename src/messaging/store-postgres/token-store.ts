import type { Clock } from '../../base/clock.js';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { revokedBefore } from '../records.js';
import type { TokenStore } from '../store.js';
import { toUser, type UserRow } from './user-rows.js';

/** The end of the last year that times have four digits for; what never expires is kept until then. */
export const lastTime = Date.UTC(10_000, 0) - 1;

/** A token that was asked for, with until when (ms) it is good where it was revoked, and its user. */
type HolderRow = { readonly [Column in keyof UserRow]: UserRow[Column] | null } & {
  readonly tokenUserId: number;
  readonly tokenJti: string;
  readonly goodUntil: number | null;
};

interface Holder {
  readonly goodUntil: number | null;
  readonly user: ReturnType<typeof toUser> | undefined;
}

/** Revoked tokens in the table `revoked_tokens`, until they expire. */
export function createPostgresTokenStore(database: Database, clock: Clock): TokenStore {
  const readHolder = createBatchedRead({
    database,
    name: 'users of tokens',
    select(sql, keys: readonly string[]) {
      const userIds = keys.map((key) => Number.parseInt(key, 10));
      const jtis = keys.map((key) => key.slice(key.indexOf(' ') + 1));
      return sql<HolderRow[]>`
        select asked.*, good_until, users.*
        from unnest(${userIds}::bigint[], ${jtis}::text[]) as asked (token_user_id, token_jti)
        left join msgsite.revoked_tokens on jti = token_jti
        left join msgsite.users on users.id = token_user_id`;
    },
    keyOf: ({ tokenUserId, tokenJti }) => `${tokenUserId} ${tokenJti}`,
    toValue: ({ goodUntil, ...row }): Holder => ({
      goodUntil,
      user: isUser(row) ? toUser(row) : undefined,
    }),
  });
  /** Tokens issued before this time (ms) are all revoked. Only an import brings such records: it is read once. */
  let notBefore: number | undefined;
  async function readNotBefore(): Promise<number> {
    const rows = await query<{ jti: string }>(database, 'revocations of all tokens')`
      select jti from msgsite.revoked_tokens where expires_at >= ${new Date(lastTime)}`;
    return Math.max(0, ...rows.map(revokedBefore));
  }

  async function read(userId: number, jti: string, issued: number) {
    notBefore ??= await readNotBefore();
    const { goodUntil = null, user } = (await readHolder(`${userId} ${jti}`)) ?? {};
    const isOver = goodUntil !== null && goodUntil <= clock.now();
    return { isRevoked: isOver || issued < notBefore, user };
  }

  return {
    isRevoked: async (jti, issued) => (await read(0, jti, issued)).isRevoked,
    async holderOf({ jti, userId, issued }) {
      const { isRevoked, user } = await read(userId, jti, issued);
      return isRevoked ? undefined : user;
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

/** All columns are null where there is no such user. */
function isUser(row: { readonly id: number | null }): row is UserRow {
  return row.id !== null;
}
