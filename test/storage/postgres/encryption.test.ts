import { writeFile } from 'node:fs/promises';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { parseDatabaseAddress } from '../../../src/base/database-address.js';
import { startMsgsite } from '../../helpers/msgsite-process.js';
import { openSql } from '../../helpers/sql.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { certificates, serverKey as key } from '../../payments/client/certificates.js';

/** The first bytes of a connection that requests encryption: their length, and a code. */
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Starts a proxy to the database that encrypts with a certificate, or not at all, and counts both kinds. */
async function startFront(cert?: string) {
  const url = await createTestDatabase();
  const { hosts, user, password, path } = parseDatabaseAddress(url);
  const counts = { encrypted: 0, plain: 0 };

  function forward(near: Socket, first?: Buffer): void {
    const far = connectTo({ port: hosts[0]?.port ?? 0, host: '127.0.0.1' });
    if (first) far.write(first);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      socket
        .on('error', () => {})
        .on('close', () => void [near, far].map((each) => each.destroy()));
    }
  }

  function accept(socket: Socket): void {
    socket
      .on('error', () => {})
      .once('data', (bytes) => {
        if (!bytes.equals(request)) {
          counts.plain += 1;
          forward(socket, bytes);
        } else if (cert === undefined) {
          socket.write('N');
        } else {
          socket.write('S');
          const secure = new TLSSocket(socket, { isServer: true, cert, key });
          secure
            .on('error', () => {})
            .once('secure', () => {
              counts.encrypted += 1;
              forward(secure);
            });
        }
      });
  }

  const server = createServer(accept);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const at = (host: string, mode: string) =>
    `postgres://${user}:${password}@${host}:${port}${path}?sslmode=${mode}`;
  const ask = async (mode: string) => {
    const sql = openSql(at('127.0.0.1', mode));
    onTestFinished(() => sql.end(1_000));
    return sql`select 1 as one`;
  };
  return { at, ask, counts };
}

it.each(['require', 'allow', 'prefer'])(
  'a connection with sslmode=%s is encrypted with any certificate',
  async (mode) => {
    const { ask, counts } = await startFront(certificates.selfSigned);
    expect(await ask(mode)).toHaveLength(1);
    expect(counts).toEqual({ encrypted: 1, plain: 0 });
  },
);

it('only a connection with sslmode=prefer or disable is allowed without encryption', async () => {
  const { ask, counts } = await startFront();
  expect(await ask('prefer')).toHaveLength(1);
  expect(await ask('disable')).toHaveLength(1);
  for (const mode of ['allow', 'require', 'verify-ca', 'verify-full']) {
    await expect(ask(mode)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
  }
  expect(counts).toEqual({ encrypted: 0, plain: 2 });
});

it.each(['verify-ca', 'verify-full'])(
  'a certificate of an unknown authority is rejected with sslmode=%s',
  async (mode) => {
    const { ask, counts } = await startFront(certificates.valid);
    await expect(ask(mode)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    expect(counts.plain).toBe(0);
  },
);

it('a certificate is accepted for the host and the address that it names, and for no other host', async () => {
  const folder = await makeTempFolder();
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, certificates.authority);
  const migrate = async (cert: string, host: string) => {
    const { at } = await startFront(cert);
    const words = ['data', 'migrate', '--database', at(host, 'verify-full')];
    const env = { NODE_EXTRA_CA_CERTS: authority };
    const process = startMsgsite(words, { env, cwd: folder });
    const exitCode = await process.exit();
    return { exitCode, text: process.stdout() + process.stderr() };
  };
  const [name, address, other] = await Promise.all([
    migrate(certificates.valid, 'localhost'),
    migrate(certificates.valid, '127.0.0.1'),
    migrate(certificates.otherHost, 'localhost'),
  ]);
  expect(name, name.text).toMatchObject({ exitCode: 0 });
  expect(address, address.text).toMatchObject({ exitCode: 0 });
  expect(other.exitCode).toBe(1);
  expect(other.text).toContain('does not match certificate');
});
