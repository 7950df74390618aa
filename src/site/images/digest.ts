import { createHash } from 'node:crypto';

/** The SHA-256 of bytes, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The name of an uploaded picture: the same bytes have the same name, whenever and wherever they come. */
export function imageNameFor(bytes: Uint8Array): string {
  return sha256Of(bytes).slice(0, 32);
}
