import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Logger } from '../base/log.js';
import { createRecent } from '../base/recent.js';
import type { CipherScheme, EncryptedText, StoredMessage, User } from './model.js';
import type { EndedAccount } from './store.js';

/** The user fields that a key is derived from. A deleted account stores the key instead. */
export type KeyHolder = Pick<User, 'id' | 'email' | 'deleted'>;

export type MessageCipher = ReturnType<typeof createMessageCipher>;

const algorithm = 'aes-256-gcm';
const ivBytes = 16;
const tagBytes = 16;
/** Maximum number of cached message keys. */
const cachedKeys = 10_000;

/**
 * Creates the contract's message encryption: AES-256-GCM with a random 16-byte IV and the sender's key
 * SHA-256(email + id). With an operator's secret, the key of new messages is HMAC-SHA-256(secret, email + id).
 * Messages of both schemes remain readable.
 */
export function createMessageCipher(secret: string | undefined) {
  const keys = createRecent<string, KeyObject>({ most: cachedKeys });

  function keyOf(scheme: CipherScheme, sender: KeyHolder): KeyObject | undefined {
    const name = `${scheme} ${sender.id}`;
    const known = keys.get(name);
    if (known) return known;
    const bytes = deriveKey(scheme, sender, secret);
    if (!bytes) return undefined;
    const key = createSecretKey(bytes);
    keys.set(name, key);
    return key;
  }

  const nextIv = createIvSource();
  const scheme: CipherScheme = secret === undefined ? 'email' : 'secret';
  return {
    /** The scheme that new messages are encrypted with. */
    scheme,
    encrypt(text: string, sender: KeyHolder): EncryptedText {
      const key = keyOf(scheme, sender);
      if (!key) throw new Error('The key of the chosen scheme cannot be derived.');
      const iv = nextIv();
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
      // With an output encoding, Node.js would create a stream decoder. In GCM mode, `final` returns no bytes.
      const encrypted = cipher.update(text, 'utf8').toString('hex');
      cipher.final();
      return { iv: iv.toString('hex'), encrypted, authTag: cipher.getAuthTag().toString('hex') };
    },
    /** Returns the clear text, or undefined if the tag is invalid or the key is unknown. */
    decrypt(encrypted: EncryptedText, writtenWith: CipherScheme, sender: KeyHolder) {
      const key = keyOf(writtenWith, sender);
      return key && open(encrypted, key);
    },
  };
}

/** Number of IVs that are generated in one call, because many small calls are slow. */
const ivsTogether = 256;

/** Returns a function that returns a new random IV on each call. */
function createIvSource(): () => Buffer {
  let left = Buffer.alloc(0);
  return () => {
    if (left.length === 0) left = randomBytes(ivsTogether * ivBytes);
    const iv = left.subarray(0, ivBytes);
    left = left.subarray(ivBytes);
    return iv;
  };
}

/**
 * Returns the 32 bytes of a sender's key. Returns undefined if the scheme requires a secret that is not set, or if the
 * account is deleted and its key was not stored.
 */
export function deriveKey(
  scheme: CipherScheme,
  { email, id, deleted }: KeyHolder,
  secret: string | undefined,
): Buffer | undefined {
  if (deleted)
    return scheme === 'secret' && deleted.key ? Buffer.from(deleted.key, 'hex') : undefined;
  const material = `${email}${id}`;
  if (scheme === 'email') return createHash('sha256').update(material).digest();
  return secret === undefined ? undefined : createHmac('sha256', secret).update(material).digest();
}

function open({ iv, encrypted, authTag }: EncryptedText, key: KeyObject): string | undefined {
  try {
    const tag = Buffer.from(authTag, 'hex');
    // By default, Node.js accepts shorter tags, which are easier to forge.
    const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'hex'), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(tag);
    return decipher.update(encrypted, 'hex', 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns the deletion record of an account that is deleted at `now` (milliseconds). The e-mail address, from which the
 * keys are derived, is erased. The record therefore includes the key of the operator's scheme. The other scheme
 * requires no key, because it also stores clear texts.
 */
export function endOf(user: User, now: number, secret: string | undefined): EndedAccount {
  const key = deriveKey('secret', user, secret);
  return { at: new Date(now).toISOString(), ...(key ? { key: key.toString('hex') } : {}) };
}

export type MessageTexts = ReturnType<typeof createMessageTexts>;

/** Decrypts stored messages. */
export function createMessageTexts(cipher: MessageCipher, log: Pick<Logger, 'warn'>) {
  /** Decrypted texts of the messages that the store caches. */
  const texts = new WeakMap<StoredMessage, string | undefined>();

  function readAs(message: StoredMessage, sender: User): string | undefined {
    // The e-mail address that the key is derived from was erased with the account, but the clear text is also stored.
    if (sender.deleted && message.scheme === 'email') return message.text;
    return cipher.decrypt(message.encrypted, message.scheme, sender);
  }

  return {
    /** Returns the clear text, or undefined if the message cannot be decrypted. */
    decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
      if (texts.has(message)) return texts.get(message);
      const text = sender && readAs(message, sender);
      // Logged only once while the store caches the message.
      if (text === undefined) {
        const { id: messageId, chatId } = message;
        log.warn({ messageId, chatId }, 'A message cannot be decrypted.');
      }
      texts.set(message, text);
      return text;
    },
  };
}
