import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import { userRecord } from '../records.js';
import type { UserStore } from '../store.js';

export type UserRow = User & {
  /** The e-mail as it is compared: without case. */
  readonly emailKey: string;
};

/** Users in the table `users`. Reads that come together are one statement. */
export function createPostgresUserStore(database: Database): UserStore {
  const find = createBatchedRead({
    database,
    name: 'users by id',
    select: (sql, ids: readonly number[]) =>
      sql<UserRow[]>`select * from msgsite.users where id = any(${[...ids]}::bigint[])`,
    keyOf: ({ id }) => id,
    toValue: userRecord,
  });
  const findByKey = createBatchedRead<string, UserRow, User>({
    database,
    name: 'users by e-mail',
    select: (sql, keys) =>
      sql<UserRow[]>`select * from msgsite.users where email_key = any(${[...keys]}::text[])`,
    keyOf: (row) => row.emailKey,
    toValue: userRecord,
  });

  return {
    find,
    findByEmail: (email) => findByKey(emailKey(email)),
    async create(user) {
      const [row] = await database.run(
        'create a user',
        (sql) => sql<UserRow[]>`
          insert into msgsite.users ${sql({ ...user, emailKey: emailKey(user.email) })}
          on conflict (email_key) do nothing
          returning *`,
      );
      if (!row) throw emailTaken();
      return userRecord(row);
    },
    async change(id, changes) {
      if (Object.keys(changes).length === 0) return find(id);
      const [row] = await database.run(
        'change a user',
        (sql) => sql<UserRow[]>`
          update msgsite.users set ${sql(changes)} where id = ${id} returning *`,
      );
      return row && userRecord(row);
    },
    async replaceHash(id, from, to) {
      await query(database, 'replace a password hash')`
        update msgsite.users set password_hash = ${to}
        where id = ${id} and password_hash = ${from}`;
    },
    async highestCost() {
      // Condition and order are those of the index users_by_hash_cost.
      const [row] = await query<{ cost: string }>(database, 'highest cost of a password hash')`
        select substr(password_hash, 5, 2) as cost from msgsite.users
        where password_hash ~ '^[$]2[aby][$](0[4-9]|1[0-6])[$][./A-Za-z0-9]{53}$'
        order by substr(password_hash, 5, 2) desc limit 1`;
      return Number(row?.cost ?? 0);
    },
    async list({ after, limit }) {
      const rows = await query<UserRow>(database, 'list users')`
        select * from msgsite.users where id > ${after} order by id limit ${limit}`;
      return rows.map(userRecord);
    },
  };
}

/** E-mails are compared without case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
