import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createFile, ensureFolder } from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { readOptionalFile } from '../../../base/files/input-file.js';
import { damaged } from '../../../base/files/storage-errors.js';
import { readValueLine, valueLine } from '../lines/lines.js';

/** Secrets that the services need. */
export interface Secrets {
  /** Signs access tokens. */
  readonly jwtSecret: string;
  /** Encrypts provider sessions. Several keys are separated by commas: the first encrypts, all decrypt. */
  readonly gatewayKey: string;
}

/** The secrets that the operator has configured. */
interface ConfiguredSecrets {
  readonly jwtSecret?: string | undefined;
  readonly gatewayKey?: string | undefined;
}

/**
 * Returns the configured secrets. Missing ones are read from `<data>/secrets.json`, which is created on first use with
 * mode 0600. If several processes create it concurrently, the first one wins.
 */
export async function loadSecrets(
  dataFolder: string,
  { jwtSecret, gatewayKey }: ConfiguredSecrets,
): Promise<Secrets> {
  if (jwtSecret !== undefined && gatewayKey !== undefined) return { jwtSecret, gatewayKey };
  const stored = readSecrets(secretsFile(dataFolder)) ?? (await createSecrets(dataFolder));
  return { jwtSecret: jwtSecret ?? stored.jwtSecret, gatewayKey: gatewayKey ?? stored.gatewayKey };
}

/** Returns the secrets of a data folder without creating any; empty if it has none. */
export async function findSecrets(dataFolder: string): Promise<Partial<Secrets>> {
  return readSecrets(secretsFile(dataFolder)) ?? {};
}

export function secretsFile(dataFolder: string): string {
  return join(dataFolder, 'secrets.json');
}

/** Maximum size of `secrets.json`, in bytes: many times the size that msgsite writes. */
const maxSecretBytes = 64 * 1024;

/** Returns the secrets in a file, or undefined if there is no such file. Throws `data_damaged`. */
export function readSecrets(file: string): Secrets | undefined {
  const bytes = readOptionalFile(file, { maxBytes: maxSecretBytes });
  if (bytes === undefined) return undefined;
  const value = readValueLine(bytes) ?? {};
  const { jwtSecret, gatewayKey } = value as Partial<Record<string, unknown>>;
  if (jwtSecret && typeof jwtSecret === 'string' && gatewayKey && typeof gatewayKey === 'string') {
    return { jwtSecret, gatewayKey };
  }
  throw damaged(
    file,
    'line 1',
    'its checksum does not match, or jwtSecret or gatewayKey is missing',
  );
}

/** Size of a secret, in bytes: 256 bits, the key size of HMAC-SHA-256 and AES-256. */
const secretBytes = 32;

/** Creates secrets, or returns those that another process has just created. */
export async function createSecrets(folder: string): Promise<Secrets> {
  const secret = () => randomBytes(secretBytes).toString('base64url');
  const secrets: Secrets = { jwtSecret: secret(), gatewayKey: secret() };
  const file = secretsFile(folder);
  await ensureFolder(systemFiles, folder);
  const isOurs = await createFile(file, valueLine(secrets), { mode: 0o600 });
  return isOurs ? secrets : (readSecrets(file) ?? secrets);
}
