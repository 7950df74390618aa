import type { Clock } from '../../base/clock.js';
import { createBatchedRead } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { lastTime } from '../../storage/postgres/row-codec.js';
import { assignments, valuesOf } from '../../storage/postgres/sql.js';
import { foldText } from '../../words/fold-text.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import { revokedBefore } from '../records.js';
import type { TokenStore, UserStore } from '../store.js';
import type { PostgresChanges } from './changes.js';
import { codecs, emailKey, nameKey, type UserRow, userRow } from './rows.js';

export interface PostgresStoreOptions {
  readonly database: Database;
  /** Follows the database's clock. */
  readonly clock: Clock;
  readonly changes: PostgresChanges;
}

/** Creates the store of users in the table `users`. Concurrent reads share one statement. */
export function createPostgresUserStore(options: PostgresStoreOptions): UserStore {
  const { database, clock, changes: reported } = options;
  const find = createBatchedRead({
    database,
    name: 'users by id',
    select: (sql, ids: readonly number[]) =>
      sql<UserRow[]>`select * from msgsite.users where id = any(${[...ids]}::bigint[])`,
    keyOf: ({ id }) => id,
    toValue: codecs.user.toRecord,
  });
  const findByKey = createBatchedRead<string, UserRow, User>({
    database,
    name: 'users by e-mail',
    select: (sql, keys) =>
      sql<UserRow[]>`select * from msgsite.users where email_key = any(${[...keys]}::text[])`,
    keyOf: (row) => row.emailKey ?? '',
    toValue: codecs.user.toRecord,
  });

  /** Returns a user whose tokens were all revoked, and ends the requests that wait with them. */
  function withoutTokens(row: UserRow | undefined): User | undefined {
    if (row) reported.report({ list: row.id });
    return row && codecs.user.toRecord(row);
  }

  return {
    find,
    findByEmail: (email) => findByKey(emailKey(email)),
    async create(user) {
      const [row] = await query<UserRow>(database, 'create a user')`
          insert into msgsite.users ${valuesOf(userRow(user))}
          on conflict (email_key) do nothing
          returning *`;
      if (!row) throw emailTaken();
      return codecs.user.toRecord(row);
    },
    async change(id, changes) {
      const { username, avatar } = changes;
      const names = username === undefined ? {} : { nameKey: nameKey({ username }) };
      const columns = { ...changes, ...names };
      if (Object.keys(columns).length === 0) return unlessDeleted(await find(id));
      const [row] = await query<UserRow>(database, 'change a user')`
          update msgsite.users set ${assignments(columns)}
          where id = ${id} and deleted_at is null returning *`;
      if (row && (username !== undefined || avatar !== undefined)) reported.report({ person: id });
      return row && codecs.user.toRecord(row);
    },
    async replaceHash(id, from, to) {
      await query(database, 'replace a password hash')`
        update msgsite.users set password_hash = ${to}
        where id = ${id} and password_hash = ${from} and deleted_at is null`;
    },
    async maxCost() {
      // The condition and the order match the index users_by_hash_cost.
      const [row] = await query<{ cost: string }>(database, 'highest cost of a password hash')`
        select substr(password_hash, 5, 2) as cost from msgsite.users
        where password_hash ~ '^[$]2[aby][$](0[4-9]|1[0-6])[$][./A-Za-z0-9]{53}$'
        order by substr(password_hash, 5, 2) desc limit 1`;
      return Number(row?.cost ?? 0);
    },
    async replacePassword(id, proof, passwordHash) {
      const [row] = await database.run('replace a password', (sql) => {
        const isProven =
          'passwordHash' in proof
            ? sql`password_hash = ${proof.passwordHash}`
            : sql`reset_hash = ${proof.resetHash} and reset_expires > ${clock.now()}`;
        return sql<UserRow[]>`
          update msgsite.users
          set password_hash = ${passwordHash}, sessions = sessions + 1,
            reset_hash = null, reset_expires = null
          where id = ${id} and deleted_at is null and ${isProven} returning *`;
      });
      return withoutTokens(row);
    },
    async endTokens(id) {
      const [row] = await query<UserRow>(database, 'end the tokens of a user')`
        update msgsite.users set sessions = sessions + 1
        where id = ${id} and deleted_at is null returning *`;
      return withoutTokens(row);
    },
    async setReset(id, { hash, expires }) {
      const [row] = await query<UserRow>(database, 'set a reset code')`
        update msgsite.users set reset_hash = ${hash}, reset_expires = ${expires}
        where id = ${id} and deleted_at is null returning *`;
      return row && codecs.user.toRecord(row);
    },
    async list({ after, limit, part }) {
      const found =
        part === undefined
          ? await query<UserRow>(database, 'list users')`
              select * from msgsite.users where id > ${after} and deleted_at is null
              order by id limit ${limit}`
          : await query<UserRow>(database, 'search users')`
              select * from msgsite.users
              where id > ${after} and deleted_at is null and strpos(name_key, ${foldText(part)}) > 0
              order by id limit ${limit}`;
      return found.map(codecs.user.toRecord);
    },
  };
}

function unlessDeleted(user: User | undefined): User | undefined {
  return user?.deleted ? undefined : user;
}

/** A token, its user, and, if it was revoked, the time (milliseconds) until which it is valid. */
type HolderRow = { readonly [Column in keyof UserRow]: UserRow[Column] | null } & {
  readonly tokenUserId: number;
  readonly tokenJti: string;
  readonly goodUntil: number | null;
};

interface Holder {
  readonly goodUntil: number | null;
  readonly user: User | undefined;
}

/** Creates the store of revoked tokens in the table `revoked_tokens`. */
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
      user: isUser(row) ? codecs.user.toRecord(row) : undefined,
    }),
  });
  /**
   * All tokens issued before this time (milliseconds) are revoked. Read once, because only an import stores such
   * records.
   */
  let notBefore: number | undefined;
  async function readNotBefore(): Promise<number> {
    const found = await query<{ jti: string }>(database, 'revocations of all tokens')`
      select jti from msgsite.revoked_tokens where expires_at >= ${new Date(lastTime)}`;
    return Math.max(0, ...found.map(revokedBefore));
  }

  return {
    async holderOf({ jti, userId, issued }) {
      notBefore ??= await readNotBefore();
      const { goodUntil = null, user } = (await readHolder(`${userId} ${jti}`)) ?? {};
      const isOver = goodUntil !== null && goodUntil <= clock.now();
      return isOver || issued < notBefore ? undefined : user;
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

/** All columns are null if the user is unknown. */
function isUser(row: { readonly id: number | null }): row is UserRow {
  return row.id !== null;
}
