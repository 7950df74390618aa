import type { Clock } from '../../base/clock.js';
import { foldText } from '../../base/fold-text.js';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { assignments, valuesOf } from '../../storage/postgres/sql.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import type { UserStore } from '../store.js';
import type { PostgresChanges } from './changes.js';
import { emailKey, nameKey, toUser, toUserColumns, type UserRow } from './user-rows.js';

export interface PostgresStoreOptions {
  readonly database: Database;
  /** Follows the database's. */
  readonly clock: Clock;
  readonly changes: PostgresChanges;
}

/** Users in the table `users`. Reads that come together are one statement. */
export function createPostgresUserStore(options: PostgresStoreOptions): UserStore {
  const { database, clock, changes: told } = options;
  const find = createBatchedRead({
    database,
    name: 'users by id',
    select: (sql, ids: readonly number[]) =>
      sql<UserRow[]>`select * from msgsite.users where id = any(${[...ids]}::bigint[])`,
    keyOf: ({ id }) => id,
    toValue: toUser,
  });
  const findByKey = createBatchedRead<string, UserRow, User>({
    database,
    name: 'users by e-mail',
    select: (sql, keys) =>
      sql<UserRow[]>`select * from msgsite.users where email_key = any(${[...keys]}::text[])`,
    keyOf: (row) => row.emailKey ?? '',
    toValue: toUser,
  });

  /** Of a user whose tokens have all ended, if there is one: nobody waits with them any longer. */
  function withoutTokens(row: UserRow | undefined): User | undefined {
    if (row) told.report({ list: row.id });
    return row && toUser(row);
  }

  return {
    find,
    findByEmail: (email) => findByKey(emailKey(email)),
    async create(user) {
      const [row] = await query<UserRow>(database, 'create a user')`
          insert into msgsite.users ${valuesOf(toUserColumns(user))}
          on conflict (email_key) do nothing
          returning *`;
      if (!row) throw emailTaken();
      return toUser(row);
    },
    async change(id, changes) {
      const { username, avatar } = changes;
      const names = username === undefined ? {} : { nameKey: nameKey({ username }) };
      const columns = { ...changes, ...names };
      if (Object.keys(columns).length === 0) return living(await find(id));
      const [row] = await query<UserRow>(database, 'change a user')`
          update msgsite.users set ${assignments(columns)}
          where id = ${id} and deleted_at is null returning *`;
      if (row && (username !== undefined || avatar !== undefined)) told.report({ person: id });
      return row && toUser(row);
    },
    async replaceHash(id, from, to) {
      await query(database, 'replace a password hash')`
        update msgsite.users set password_hash = ${to}
        where id = ${id} and password_hash = ${from} and deleted_at is null`;
    },
    async highestCost() {
      // Condition and order are those of the index users_by_hash_cost.
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
      return row && toUser(row);
    },
    async list({ after, limit, part }) {
      const rows =
        part === undefined
          ? await query<UserRow>(database, 'list users')`
              select * from msgsite.users where id > ${after} and deleted_at is null
              order by id limit ${limit}`
          : await query<UserRow>(database, 'search users')`
              select * from msgsite.users
              where id > ${after} and deleted_at is null and strpos(name_key, ${foldText(part)}) > 0
              order by id limit ${limit}`;
      return rows.map(toUser);
    },
  };
}

function living(user: User | undefined): User | undefined {
  return user?.deleted ? undefined : user;
}
