import { expect, it } from 'vitest';
import { checkSecrets } from '../../../src/storage/postgres/secret-check.js';
import { useTestDatabase } from '../../helpers/test-database.js';

it('a process whose secrets differ from those of the others is rejected', async () => {
  const database = await useTestDatabase();
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'k' });
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'k' });
  for (const other of [
    { jwtSecret: 'b', gatewayKey: 'k' },
    { jwtSecret: 'a', gatewayKey: 'l' },
  ]) {
    await expect(checkSecrets(database, other)).rejects.toMatchObject({ code: 'configuration' });
  }
});

it('a gateway key that precedes the known one is accepted', async () => {
  const database = await useTestDatabase();
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'old' });
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'new,old' });
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'new' });
  const old = checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'old' });
  await expect(old).rejects.toThrow('MSGSITE_GATEWAY_KEY');
});

it('the stored fingerprints do not reveal a secret', async () => {
  const database = await useTestDatabase();
  await checkSecrets(database, { jwtSecret: 'very-secret', gatewayKey: 'k' });
  const rows = await database.run('read', (sql) => sql`select * from msgsite.secret_fingerprints`);
  expect(JSON.stringify(rows)).not.toContain('very-secret');
});
