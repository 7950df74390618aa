import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../base/errors.js';
import { createFile, ensureFolder } from '../base/files/durable-write.js';
import { systemFiles } from '../base/files/file-layer.js';
import { readOptionalFile } from '../base/files/input-file.js';

/** Secrets that the services cannot do without. */
export interface Secrets {
  /** Signs access tokens. */
  readonly jwtSecret: string;
  /** Encrypts provider sessions; several with commas between them: the first encrypts, all decrypt. */
  readonly gatewayKey: string;
}

interface Given {
  readonly jwtSecret?: string | undefined;
  readonly gatewayKey?: string | undefined;
}

/**
 * The secrets an operator gave, and for those not given the ones of `<data>/secrets.json`, which is
 * made on first use (mode 0600). Several processes may do this at once: the first one wins.
 */
export async function loadSecrets(dataFolder: string, given: Given): Promise<Secrets> {
  const { jwtSecret, gatewayKey } = given;
  if (jwtSecret !== undefined && gatewayKey !== undefined) return { jwtSecret, gatewayKey };
  const file = join(dataFolder, 'secrets.json');
  const kept = (await readSecrets(file)) ?? (await createSecrets(dataFolder, file));
  return { jwtSecret: jwtSecret ?? kept.jwtSecret, gatewayKey: gatewayKey ?? kept.gatewayKey };
}

/** The secrets of a data folder, where it has any; makes none. */
export async function findSecrets(dataFolder: string): Promise<Partial<Secrets>> {
  return (await readSecrets(join(dataFolder, 'secrets.json'))) ?? {};
}

/** Bytes of secrets.json: many times what this program writes there. */
const mostSecretBytes = 64 * 1024;

async function readSecrets(file: string): Promise<Secrets | undefined> {
  const text = readOptionalFile(file, { mostBytes: mostSecretBytes })?.toString('utf8');
  if (text === undefined) return undefined;
  const secrets = parse(text);
  if (secrets) return secrets;
  throw new AppError('data_damaged', `${file} is damaged: it must hold jwtSecret and gatewayKey.`, {
    hint: 'Put it back from a backup. Without it, everyone has to sign in again and payments cannot be watched on.',
  });
}

function parse(text: string): Secrets | undefined {
  try {
    const { jwtSecret, gatewayKey } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (typeof jwtSecret !== 'string' || typeof gatewayKey !== 'string') return undefined;
    return jwtSecret && gatewayKey ? { jwtSecret, gatewayKey } : undefined;
  } catch {
    return undefined;
  }
}

/** 256 bits each, the size of the keys that HMAC-SHA-256 and AES-256 work with. */
const secretBytes = 32;

async function createSecrets(folder: string, file: string): Promise<Secrets> {
  const secret = () => randomBytes(secretBytes).toString('base64url');
  const secrets: Secrets = { jwtSecret: secret(), gatewayKey: secret() };
  await ensureFolder(systemFiles, folder);
  const isOurs = await createFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return isOurs ? secrets : ((await readSecrets(file)) ?? secrets);
}
