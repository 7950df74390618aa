import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { AppError } from '../../base/errors.js';

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts and decrypts the provider's secrets, which clients store. */
export type SessionVault = ReturnType<typeof createSessionVault>;

interface VaultKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Creates a vault that uses AES-256-GCM with `tokenSN` as associated data. `keys` is the value of
 * `MSGSITE_GATEWAY_KEY`: a key (64 hex digits, or at least 16 characters of other text), or several keys separated by
 * commas. The first one encrypts, and all of them decrypt. An encrypted secret contains the ID of its key. To rotate
 * keys, put the new key in front of the old ones.
 */
export function createSessionVault(keys: string) {
  const ring = parseGatewayKeys(keys);
  const [first] = ring;
  if (!first) throw noKey();
  return {
    /** Returns the `vtokenSecret` for a client: the encrypted and authenticated secret, bound to `tokenSN`. */
    seal(secret: string, tokenSN: string): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', first.key, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(tokenSN, 'utf8'));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const box = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
      return `${version}.${first.id}.${box}`;
    },
    /** Returns the provider's secret; undefined if the text was not sealed with these keys for this `tokenSN`. */
    open(vtokenSecret: string, tokenSN: string): string | undefined {
      const [tag, keyId, box, ...rest] = vtokenSecret.split('.');
      const found = ring.find(({ id }) => id === keyId);
      if (tag !== version || !found || !box || rest.length > 0) return undefined;
      return decrypt(found.key, Buffer.from(box, 'base64url'), tokenSN);
    },
  };
}

/** Parses the value of `MSGSITE_GATEWAY_KEY`. Throws a `configuration` error for an invalid key. */
function parseGatewayKeys(text: string): VaultKey[] {
  const words = text.split(',').map((word) => word.trim());
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const bytes = keyBytes(word);
      const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
      return { id, key: createSecretKey(bytes) };
    });
}

function keyBytes(word: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, 'hex');
  if (word.length < 16) throw noKey();
  return createHash('sha256').update(word, 'utf8').digest();
}

function noKey(): AppError {
  return new AppError('configuration', 'A key in MSGSITE_GATEWAY_KEY is too short.', {
    hint: 'Set it to 64 hex digits (openssl rand -hex 32), or to several such keys separated by commas.',
  });
}

function decrypt(key: KeyObject, box: Buffer, tokenSN: string): string | undefined {
  if (box.length < ivBytes + tagBytes) return undefined;
  const iv = box.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(tokenSN, 'utf8'));
  decipher.setAuthTag(box.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const clear = decipher.update(box.subarray(ivBytes + tagBytes));
    return Buffer.concat([clear, decipher.final()]).toString('utf8');
  } catch {
    return undefined; // The tag is invalid: the secret is forged, damaged, or belongs to another session.
  }
}
