import { createHmac } from 'node:crypto';
import { AppError } from '../../base/errors.js';
import type { Database } from './database.js';
import { query } from './database.js';

export interface SharedSecrets {
  readonly jwtSecret: string;
  /** Several keys are separated by commas: the first encrypts, all decrypt. */
  readonly gatewayKey: string;
}

/**
 * Throws `configuration` if this process's secrets differ from those of the other processes on this database, which
 * would reject its tokens. The first process determines the secrets. A gateway key that precedes the known one replaces
 * it.
 */
export async function checkSecrets(
  database: Database,
  { jwtSecret, gatewayKey }: SharedSecrets,
): Promise<void> {
  await checkOne(database, 'MSGSITE_JWT_SECRET', [jwtSecret]);
  await checkGatewayKey(database, gatewayKey);
}

/** Checks only the gateway key, for a process that issues no tokens. */
export function checkGatewayKey(database: Database, gatewayKey: string): Promise<void> {
  return checkOne(database, 'MSGSITE_GATEWAY_KEY', gatewayKey.split(','));
}

async function checkOne(database: Database, name: string, values: string[]): Promise<void> {
  const fingerprints = values.map((value) => fingerprintOf(name, value.trim()));
  const [first = ''] = fingerprints;
  const [row] = await query<{ fingerprint: string }>(database, 'compare secrets')`
    insert into msgsite.secret_fingerprints as known (name, fingerprint)
    values (${name}, ${first})
    on conflict (name) do update set fingerprint =
      case when known.fingerprint = any(${fingerprints}::text[]) then ${first}
        else known.fingerprint end
    returning fingerprint`;
  if (row?.fingerprint === first) return;
  throw new AppError(
    'configuration',
    `${name} differs from the one that the other processes on this database use.`,
    {
      hint: `Use the same ${name} everywhere. To change it, stop all processes and run: delete from msgsite.secret_fingerprints where name = '${name}'`,
    },
  );
}

/** Returns the fingerprint of a secret. Equal secrets have equal fingerprints, which do not reveal the secret. */
export function fingerprintOf(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`msgsite ${name}`).digest('hex').slice(0, 32);
}
