import { expect, it } from 'vitest';
import { checkSecrets } from '../../../src/storage/postgres/secret-check.js';
import { useTestDatabase } from '../../helpers/test-database.js';

it('refuses a process whose secrets are not those of the others', async () => {
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

it('follows a gateway key that is put before the known one', async () => {
  const database = await useTestDatabase();
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'old' });
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'new,old' });
  await checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'new' });
  const old = checkSecrets(database, { jwtSecret: 'a', gatewayKey: 'old' });
  await expect(old).rejects.toThrow('MSGSITE_GATEWAY_KEY');
});

it('keeps nothing from which a secret could be read', async () => {
  const database = await useTestDatabase();
  await checkSecrets(database, { jwtSecret: 'very-secret', gatewayKey: 'k' });
  const rows = await database.run('look', (sql) => sql`select * from msgsite.secret_fingerprints`);
  expect(JSON.stringify(rows)).not.toContain('very-secret');
});
