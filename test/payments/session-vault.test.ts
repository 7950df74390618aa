import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSessionVault } from '../../src/payments/sessions/session-vault.js';

const key = () => randomBytes(32).toString('hex');

describe('the session vault', () => {
  it('opens every secret that it sealed, with any token', () => {
    const vault = createSessionVault(key());
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, tokenSN) => {
        expect(vault.open(vault.seal(secret, tokenSN), tokenSN)).toBe(secret);
      }),
      { numRuns: 30 },
    );
  });

  it('hides the secret and seals it differently each time', () => {
    const vault = createSessionVault(key());
    const sealed = vault.seal('the provider secret', 'T1');
    expect(sealed).not.toContain('provider');
    expect(vault.seal('the provider secret', 'T1')).not.toBe(sealed);
  });

  it('rejects a secret that belongs to a different token', () => {
    const vault = createSessionVault(key());
    expect(vault.open(vault.seal('secret', 'T1'), 'T2')).toBeUndefined();
  });

  it('rejects a sealed secret if any character is changed', () => {
    const vault = createSessionVault(key());
    const sealed = vault.seal('secret', 'T1');
    for (let index = 0; index < sealed.length - 1; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const forged = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(vault.open(forged, 'T1')).toBeUndefined();
    }
  });

  it.each([[''], ['v1'], ['v1.x.y'], ['v2.a.b'], ['....'], ['v1.00000000.AAAA']])(
    'rejects "%s"',
    (text) => {
      expect(createSessionVault(key()).open(text, 'T1')).toBeUndefined();
    },
  );

  it('opens secrets sealed with an old key after a new key is added', () => {
    const [old, fresh] = [key(), key()];
    const sealed = createSessionVault(old).seal('secret', 'T1');
    const rotated = createSessionVault(`${fresh}, ${old}`);
    expect(rotated.open(sealed, 'T1')).toBe('secret');
    expect(createSessionVault(fresh).open(rotated.seal('new', 'T1'), 'T1')).toBe('new');
    expect(createSessionVault(fresh).open(sealed, 'T1')).toBeUndefined();
  });

  it('accepts any long text as a key, and reports the variable of an invalid key', () => {
    const vault = createSessionVault('a long enough passphrase');
    expect(vault.open(vault.seal('s', 'T'), 'T')).toBe('s');
    expect(() => createSessionVault('short')).toThrow('MSGSITE_GATEWAY_KEY');
    expect(() => createSessionVault(' , ')).toThrow('MSGSITE_GATEWAY_KEY');
  });
});
