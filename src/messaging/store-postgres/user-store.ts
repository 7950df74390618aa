import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import type { UserStore } from '../store.js';
import { lookUps } from './look-ups.js';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly email_key: string;
  readonly password_hash: string;
  readonly avatar: string | null;
  readonly bio: string;
  readonly created_at: Date;
}

/** Users in the table `users`. Look-ups that come together are one statement. */
export function createPostgresUserStore(database: Database): UserStore {
  const find = createBatch<number, User | undefined>({
    ...lookUps,
    async run(ids) {
      const rows = await database.run(
        'users by id',
        (sql) =>
          sql<UserRow[]>`select * from msgsite.users where id = any(${unique(ids)}::bigint[])`,
      );
      const found = new Map(rows.map((row) => [row.id, toUser(row)]));
      return ids.map((id) => found.get(id));
    },
  });
  const findByEmail = createBatch<string, User | undefined>({
    ...lookUps,
    async run(emails) {
      const keys = emails.map(emailKey);
      const rows = await database.run(
        'users by e-mail',
        (sql) => sql<UserRow[]>`
          select * from msgsite.users where email_key = any(${unique(keys)}::text[])`,
      );
      const found = new Map(rows.map((row) => [row.email_key, toUser(row)]));
      return keys.map((key) => found.get(key));
    },
  });

  return {
    find,
    findByEmail,
    async create({ username, email, passwordHash, avatar, bio, createdAt }) {
      const [row] = await database.run(
        'create a user',
        (sql) => sql<UserRow[]>`
          insert into msgsite.users
            (username, email, email_key, password_hash, avatar, bio, created_at)
          values (${username}, ${email}, ${emailKey(email)}, ${passwordHash}, ${avatar}, ${bio},
            ${createdAt})
          on conflict (email_key) do nothing
          returning *`,
      );
      if (!row) throw emailTaken();
      return toUser(row);
    },
    async change(id, changes) {
      if (Object.keys(changes).length === 0) return find(id);
      const [row] = await database.run(
        'change a user',
        (sql) => sql<UserRow[]>`
          update msgsite.users set ${sql(changes)} where id = ${id} returning *`,
      );
      return row && toUser(row);
    },
    async replaceHash(id, from, to) {
      await database.run(
        'replace a password hash',
        (sql) => sql`
          update msgsite.users set password_hash = ${to}
          where id = ${id} and password_hash = ${from}`,
      );
    },
    async highestCost() {
      // Condition and order are those of the index users_by_hash_cost.
      const [row] = await database.run(
        'highest cost of a password hash',
        (sql) => sql<{ cost: string }[]>`
          select substr(password_hash, 5, 2) as cost from msgsite.users
          where password_hash ~ '^[$]2[aby][$](0[4-9]|1[0-6])[$][./A-Za-z0-9]{53}$'
          order by substr(password_hash, 5, 2) desc limit 1`,
      );
      return Number(row?.cost ?? 0);
    },
    async list({ after, limit }) {
      const rows = await database.run(
        'list users',
        (sql) => sql<UserRow[]>`
          select * from msgsite.users where id > ${after} order by id limit ${limit}`,
      );
      return rows.map(toUser);
    },
  };
}

export function toUser(row: UserRow): User {
  const { id, username, email, avatar, bio } = row;
  const { password_hash: passwordHash, created_at: createdAt } = row;
  return { id, username, email, passwordHash, avatar, bio, createdAt: createdAt.toISOString() };
}

/** E-mails are compared without case. */
function emailKey(email: string): string {
  return email.toLowerCase();
}

function unique<Key>(keys: readonly Key[]): Key[] {
  return [...new Set(keys)];
}
