import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { createRecent } from '../base/recent.js';
import type { CipherScheme, EncryptedText, StoredMessage, User } from './model.js';
import type { EndedAccount } from './store.js';

/** What a key is made from, or the key itself that is left of an account that has ended. */
export type KeyHolder = Pick<User, 'id' | 'email' | 'deleted'>;

export type MessageCipher = ReturnType<typeof createMessageCipher>;

const algorithm = 'aes-256-gcm';
const ivBytes = 16;
const tagBytes = 16;
/** The most message keys that are cached. */
const cachedKeys = 10_000;

/**
 * The contract's message encryption: AES-256-GCM, a random 16-byte iv, the sender's key being
 * SHA-256(email + id). With an operator's secret new messages use HMAC-SHA-256(secret, email + id)
 * instead; messages of both schemes stay readable.
 */
export function createMessageCipher(secret: string | undefined) {
  const keys = createRecent<string, KeyObject>({ most: cachedKeys });
  const nextIv = createIvSource();

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

  const scheme: CipherScheme = secret === undefined ? 'email' : 'secret';
  return {
    /** The scheme that new messages are written with. */
    scheme,
    encrypt(text: string, sender: KeyHolder): EncryptedText {
      const key = keyOf(scheme, sender);
      if (!key) throw new Error('A scheme is only chosen where its key can be made.');
      const iv = nextIv();
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
      // Given an encoding, Node.js would make a decoder of streams for it. GCM leaves nothing to the end.
      const encrypted = cipher.update(text, 'utf8').toString('hex');
      cipher.final();
      return { iv: iv.toString('hex'), encrypted, authTag: cipher.getAuthTag().toString('hex') };
    },
    /** The clear text, or undefined where the tag does not verify (or the key for it is not here). */
    decrypt(encrypted: EncryptedText, writtenWith: CipherScheme, sender: KeyHolder) {
      const key = keyOf(writtenWith, sender);
      return key && open(encrypted, key);
    },
  };
}

/** Random bytes fetched in one go: the call costs more than the bytes. */
const ivsAtOnce = 256;

/** A source of random ivs, each given once. */
function createIvSource(): () => Buffer {
  let pool = Buffer.alloc(0);
  return () => {
    if (pool.length === 0) pool = randomBytes(ivsAtOnce * ivBytes);
    const iv = pool.subarray(0, ivBytes);
    pool = pool.subarray(ivBytes);
    return iv;
  };
}

/**
 * The 32 bytes of a sender's key; undefined where the scheme needs a secret and there is none, and where nothing is
 * left of the key of an account that has ended.
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
    // A shorter tag would be easier to forge; Node.js takes any length by default.
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
 * What stays of an account that ends at a time (milliseconds). Its e-mail goes, which the keys of its texts are made
 * of: with the operator's scheme the key stays, else the texts are stored as they are.
 */
export function endOf(user: User, now: number, secret: string | undefined): EndedAccount {
  const key = deriveKey('secret', user, secret);
  return { at: new Date(now).toISOString(), ...(key ? { key: key.toString('hex') } : {}) };
}

interface MessageTextOptions {
  readonly cipher: MessageCipher;
  /** Called with a message whose tag does not verify, once for as long as the store keeps it in memory. */
  onUndecryptable(message: StoredMessage): void;
}

export type MessageTexts = ReturnType<typeof createMessageTexts>;

/** The clear texts of stored messages. */
export function createMessageTexts({ cipher, onUndecryptable }: MessageTextOptions) {
  /** Texts of the messages that the store keeps in memory; they go when the store lets go of them. */
  const texts = new WeakMap<StoredMessage, string | undefined>();

  function readAs(message: StoredMessage, sender: User): string | undefined {
    // The e-mail that its key was made of went with the account; the clear text is stored beside it.
    if (sender.deleted && message.scheme === 'email') return message.text;
    return cipher.decrypt(message.encrypted, message.scheme, sender);
  }

  return {
    /** Returns the clear text, or undefined where the message cannot be decrypted. */
    decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
      if (texts.has(message)) return texts.get(message);
      const text = sender && readAs(message, sender);
      if (text === undefined) onUndecryptable(message);
      texts.set(message, text);
      return text;
    },
  };
}
