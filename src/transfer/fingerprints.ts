import { fingerprintOf } from '../storage/postgres/secret-check.js';

/** Secrets of a deployment, as far as they are known here. */
export interface KnownSecrets {
  readonly jwtSecret?: string | undefined;
  readonly gatewayKey?: string | undefined;
  readonly encryptionSecret?: string | undefined;
}

/** Fingerprints by the names of the secrets' variables; of several gateway keys that of the first. */
export function fingerprints(secrets: KnownSecrets): Readonly<Record<string, string>> {
  const values = {
    MSGSITE_JWT_SECRET: secrets.jwtSecret,
    MSGSITE_GATEWAY_KEY: secrets.gatewayKey?.split(',')[0]?.trim(),
    MSGSITE_ENCRYPTION_SECRET: secrets.encryptionSecret,
  };
  const known = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, fingerprintOf(name, value)] as const],
  );
  return Object.fromEntries(known);
}
