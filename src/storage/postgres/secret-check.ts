import { createHmac } from 'node:crypto';
import { AppError } from '../../base/errors.js';
import type { Database } from './database.js';
import { query } from './database.js';

export interface SharedSecrets {
  readonly jwtSecret: string;
  /** Several with commas between them: the first encrypts, all decrypt. */
  readonly gatewayKey: string;
}

/**
 * Refuses a process whose secrets are not those of the others on this database: its tokens would be no
 * good at theirs. The first process decides. A gateway key put before the known one replaces it.
 */
export async function checkSecrets(
  database: Database,
  { jwtSecret, gatewayKey }: SharedSecrets,
): Promise<void> {
  await checkOne(database, 'MSGSITE_JWT_SECRET', [jwtSecret]);
  await checkGatewayKey(database, gatewayKey);
}

/** The same for a process that gives out no tokens. */
export function checkGatewayKey(database: Database, gatewayKey: string): Promise<void> {
  return checkOne(database, 'MSGSITE_GATEWAY_KEY', gatewayKey.split(','));
}

async function checkOne(database: Database, name: string, values: string[]): Promise<void> {
  const given = values.map((value) => fingerprintOf(name, value.trim()));
  const [first = ''] = given;
  const [row] = await query<{ fingerprint: string }>(database, 'compare secrets')`
    insert into msgsite.secret_fingerprints as known (name, fingerprint)
    values (${name}, ${first})
    on conflict (name) do update set fingerprint =
      case when known.fingerprint = any(${given}::text[]) then ${first}
        else known.fingerprint end
    returning fingerprint`;
  if (row?.fingerprint === first) return;
  throw new AppError(
    'configuration',
    `${name} is not the one that the other processes on this database use.`,
    {
      hint: `Give every process the same. To change it for all, stop them and run: delete from msgsite.secret_fingerprints where name = '${name}'`,
    },
  );
}

/** By which equal secrets are known, and from which a secret cannot be found. */
export function fingerprintOf(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`msgsite ${name}`).digest('hex').slice(0, 32);
}
