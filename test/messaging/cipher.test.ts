import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMessageCipher, deriveKey } from '../../src/messaging/cipher.js';

const sender = { id: 42, email: 'Aliya@Example.KZ' };

describe('keys', () => {
  it('are the SHA-256 of the e-mail address, in its original case, and the ID', () => {
    const expected = createHash('sha256').update('Aliya@Example.KZ42').digest();
    expect(deriveKey('email', sender, undefined)).toEqual(expected);
    expect(deriveKey('email', sender, 'secret')).toEqual(expected);
    expect(expected).toHaveLength(32);
  });

  it("are the HMAC-SHA-256 with the operator's secret, and undefined without a secret", () => {
    const expected = createHmac('sha256', 's3cret').update('Aliya@Example.KZ42').digest();
    expect(deriveKey('secret', sender, 's3cret')).toEqual(expected);
    expect(deriveKey('secret', sender, undefined)).toBeUndefined();
  });
});

describe('the message cipher', () => {
  const cipher = createMessageCipher(undefined);

  it('encrypts texts so that standard AES-256-GCM with a 16-byte IV can decrypt them', () => {
    const { iv, encrypted, authTag } = cipher.encrypt('Сәлем 🙂', sender);
    expect([iv.length, authTag.length]).toEqual([32, 32]);
    const key = createHash('sha256').update('Aliya@Example.KZ42').digest();
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'hex'));
    decipher.setAuthTag(Buffer.from(authTag, 'hex'));
    const text = decipher.update(encrypted, 'hex', 'utf8') + decipher.final('utf8');
    expect(text).toBe('Сәлем 🙂');
  });

  it('decrypts texts that standard AES-256-GCM with a 16-byte IV encrypted', () => {
    const key = createHash('sha256').update('a@b.kz7').digest();
    const iv = Buffer.alloc(16, 7);
    const writer = createCipheriv('aes-256-gcm', key, iv);
    const encrypted = writer.update('known text', 'utf8', 'hex') + writer.final('hex');
    const authTag = writer.getAuthTag().toString('hex');
    const stored = { iv: iv.toString('hex'), encrypted, authTag };
    expect(cipher.decrypt(stored, 'email', { id: 7, email: 'a@b.kz' })).toBe('known text');
  });

  it('uses a different IV for every message', () => {
    const ivs = Array.from({ length: 1000 }, () => cipher.encrypt('x', sender).iv);
    expect(new Set(ivs).size).toBe(1000);
  });

  it('decrypts every text that it encrypted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(cipher.decrypt(cipher.encrypt(text, sender), 'email', sender)).toBe(text);
      }),
    );
  });

  it.each([
    ['a different IV', { iv: '00'.repeat(16) }],
    ['a different tag', { authTag: '00'.repeat(16) }],
    ['a shorter tag', { authTag: '00'.repeat(4) }],
    ['no tag', { authTag: '' }],
    ['other bytes', { encrypted: 'ff' }],
    ['invalid hex', { encrypted: 'zz' }],
    ['missing fields', { iv: undefined }],
  ])('does not decrypt a message with %s', (_name, change) => {
    const damaged = { ...cipher.encrypt('text', sender), ...change } as never;
    expect(cipher.decrypt(damaged, 'email', sender)).toBeUndefined();
  });

  it("does not decrypt another sender's message", () => {
    const stored = cipher.encrypt('text', sender);
    expect(cipher.decrypt(stored, 'email', { ...sender, id: 43 })).toBeUndefined();
  });

  it("encrypts with the operator's secret when one is set, and decrypts both schemes", () => {
    const secret = createMessageCipher('operator');
    expect([cipher.scheme, secret.scheme]).toEqual(['email', 'secret']);
    const old = cipher.encrypt('old', sender);
    const fresh = secret.encrypt('new', sender);
    expect(secret.decrypt(old, 'email', sender)).toBe('old');
    expect(secret.decrypt(fresh, 'secret', sender)).toBe('new');
    expect(cipher.decrypt(fresh, 'secret', sender)).toBeUndefined();
    expect(cipher.decrypt(fresh, 'email', sender)).toBeUndefined();
  });
});
