import type { Media } from './media.js';
import type { Sizes } from './resize.js';

/** A stored picture, as the clean-up sees it. */
export interface KeptImage {
  readonly name: string;
  /** Since when nothing refers to it, in milliseconds; null while something does. */
  readonly unusedSince: number | null;
}

/** Bytes of one size, with their SHA-256 in hexadecimal digits. */
export interface StoredSize {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/**
 * Stores pictures. The promise of a change resolves when the change is durable. A change that cannot be stored
 * rejects with `storage_unavailable` and has no effect.
 */
export interface ImageStore {
  /**
   * Returns true if all sizes of a picture are stored and intact. If it is unused, its unused time starts again
   * at `now`, because the caller is about to use it.
   */
  renew(name: string, now: number): Promise<boolean>;
  /** Stores all sizes of a picture, or none. It counts as unused from `now` on. Storing it again has no effect. */
  add(name: string, sizes: Sizes, now: number): Promise<void>;
  /** Returns one size, or undefined if it is not stored. Throws `data_damaged` if it is not as it was stored. */
  read(media: Media): Promise<StoredSize | undefined>;
  /** Returns every picture in the order of names. */
  list(): Promise<readonly KeptImage[]>;
  /** Marks pictures as unused since a time, or as used (null). */
  mark(names: readonly string[], unusedSince: number | null): Promise<void>;
  /** Removes those of the pictures that have been unused since `until` or longer, and returns their names. */
  remove(names: readonly string[], until: number): Promise<readonly string[]>;
  close(): Promise<void>;
}
