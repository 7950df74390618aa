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

/** Seals the provider's secrets for clients to carry, and opens what they bring back. */
export interface SessionVault {
  /** The `vtokenSecret` that a client stores: encrypted, authenticated and bound to `tokenSN`. */
  seal(secret: string, tokenSN: string): string;
  /** The provider's secret, or undefined for anything not sealed here for this `tokenSN`. */
  open(vtokenSecret: string, tokenSN: string): string | undefined;
}

interface VaultKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * AES-256-GCM with `tokenSN` as associated data. `keys` is the text of `MSGSITE_GATEWAY_KEY`: one
 * key (64 hex digits, or any other text of 16 characters or more), or several with commas between.
 * The first seals, all open, and the sealed text names its key, so that a key is changed by putting
 * a new one in front.
 */
export function createSessionVault(keys: string): SessionVault {
  const ring = parseGatewayKeys(keys);
  const [first] = ring;
  if (!first) throw noKey();
  return {
    seal(secret, tokenSN) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', first.key, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(tokenSN, 'utf8'));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const box = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
      return `${version}.${first.id}.${box}`;
    },
    open(vtokenSecret, tokenSN) {
      const [tag, keyId, box, ...rest] = vtokenSecret.split('.');
      const found = ring.find(({ id }) => id === keyId);
      if (tag !== version || !found || !box || rest.length > 0) return undefined;
      return decrypt(found.key, Buffer.from(box, 'base64url'), tokenSN);
    },
  };
}

/** The keys in the text of `MSGSITE_GATEWAY_KEY`; throws a `configuration` error for a faulty one. */
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
  return new AppError('configuration', 'MSGSITE_GATEWAY_KEY is too short to be a key.', {
    hint: 'Give 64 hex digits (openssl rand -hex 32), or several such keys with commas between.',
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
    return undefined; // The tag does not verify: forged, damaged, or another session's secret.
  }
}
