import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { AppError } from '../base/errors.js';
import { trimEndOf } from '../base/trim-end.js';

/** A subscription's secret, prepared for signing. Printing it does not reveal the key. */
export interface SigningKey {
  /** For `X-Webhook-Signature`: the bytes of the whole secret in UTF-8. */
  readonly body: KeyObject;
  /** For Standard Webhooks: the decoded bytes of a `whsec_` secret; otherwise the same as `body`. */
  readonly standard: KeyObject;
}

const standardPrefix = 'whsec_';
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Prepares a secret. Rejects a `whsec_` secret that is not base64, because no receiver could verify its signatures. */
export function createSigningKey(secret: string): SigningKey {
  const body = createSecretKey(Buffer.from(secret, 'utf8'));
  if (!secret.startsWith(standardPrefix)) return { body, standard: body };
  const encoded = secret.slice(standardPrefix.length);
  if (!base64.test(encoded) || trimEndOf(encoded, '=').length % 4 === 1) {
    throw new AppError('configuration', 'The part of a secret after whsec_ must be base64.', {
      hint: 'Copy the secret exactly as it was generated, or choose one that does not start with whsec_.',
    });
  }
  return { body, standard: createSecretKey(Buffer.from(encoded, 'base64')) };
}

/** Maximum number of secrets of one subscription or command. */
export const maxSecrets = 10;

/** Number of random bytes in a generated secret; Standard Webhooks requires 24 to 64. */
export const secretBytes = { initial: 32, from: 24, to: 64 } as const;

/** Returns a new secret: `whsec_` and random bytes in base64. */
export function generateSecret(bytes: number = secretBytes.initial): string {
  return `${standardPrefix}${randomBytes(bytes).toString('base64')}`;
}

/** Returns the value of `X-Webhook-Signature`: `sha256=` and the HMAC-SHA-256 of the body in hex. */
export function signBody(key: SigningKey, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', key.body).update(body).digest('hex')}`;
}

/** The content that a Standard Webhooks signature covers. `timestamp` is in whole seconds since the epoch. */
export interface StandardContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

/**
 * Returns the value of `webhook-signature` (Standard Webhooks): one signature per key, separated by spaces, in the order
 * of the keys.
 */
export function signStandard(keys: readonly SigningKey[], content: StandardContent): string {
  const { id, timestamp, body } = content;
  const sign = ({ standard }: SigningKey) =>
    createHmac('sha256', standard).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return keys.map((key) => `v1,${sign(key)}`).join(' ');
}

/** Returns whether one of the keys created `signature`. Compares in constant time. */
export function matchesBody(
  keys: readonly SigningKey[],
  body: string | Uint8Array,
  signature: string,
): boolean {
  const received = signature.trim();
  return keys.map((key) => sameText(signBody(key, body), received)).includes(true);
}

/** Maximum number of signatures in one header that `verify` and `listen` compare. */
const maxSignatures = 64;

/** Returns whether one of the keys created a signature in `header`, a list separated by spaces. */
export function matchesStandard(
  keys: readonly SigningKey[],
  content: StandardContent,
  header: string,
): boolean {
  const candidates = header.split(' ', maxSignatures);
  return signStandard(keys, content)
    .split(' ')
    .flatMap((expected) => candidates.map((candidate) => sameText(expected, candidate)))
    .includes(true);
}

function sameText(expected: string, received: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)];
  return a.length === b.length && timingSafeEqual(a, b);
}
