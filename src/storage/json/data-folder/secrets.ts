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

interface Given {
  readonly jwtSecret?: string | undefined;
  readonly gatewayKey?: string | undefined;
}

/**
 * Returns the operator's secrets; takes missing ones from `<data>/secrets.json`, which is created on first use (mode
 * 0600). If several processes create it at once, the first one wins.
 */
export async function loadSecrets(dataFolder: string, given: Given): Promise<Secrets> {
  const { jwtSecret, gatewayKey } = given;
  if (jwtSecret !== undefined && gatewayKey !== undefined) return { jwtSecret, gatewayKey };
  const kept = readSecrets(secretsFile(dataFolder)) ?? (await createSecrets(dataFolder));
  return { jwtSecret: jwtSecret ?? kept.jwtSecret, gatewayKey: gatewayKey ?? kept.gatewayKey };
}

/** Returns the secrets of a data folder, if it has any; creates nothing. */
export async function findSecrets(dataFolder: string): Promise<Partial<Secrets>> {
  return readSecrets(secretsFile(dataFolder)) ?? {};
}

export function secretsFile(dataFolder: string): string {
  return join(dataFolder, 'secrets.json');
}

/** Bytes of `secrets.json` that are read: many times what msgsite writes there. */
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

/** Bytes of a secret: 256 bits, the key size of HMAC-SHA-256 and AES-256. */
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
