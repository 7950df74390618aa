import type { Media } from './media.js';
import type { Sizes } from './resize.js';

/** A stored picture, for the removal of unused pictures. */
export interface KeptImage {
  readonly name: string;
  /** Time since which the picture is unreferenced, in milliseconds since the epoch; null while it is referenced. */
  readonly unusedSince: number | null;
}

/** The bytes of one size and their SHA-256 hash in hexadecimal digits. */
export interface StoredSize {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/**
 * Stores pictures. The promise of a change resolves when the change is durable. If the change cannot be stored, the
 * promise rejects with `storage_unavailable` and nothing has changed.
 */
export interface ImageStore {
  /**
   * Returns true if all sizes of a picture are stored and intact. The time of an unused picture starts again at `now`,
   * because the caller is about to use it.
   */
  renew(name: string, now: number): Promise<boolean>;
  /**
   * Stores all sizes of a picture, or none. The picture is marked as unused since `now`. Storing it again has no
   * effect.
   */
  add(name: string, sizes: Sizes, now: number): Promise<void>;
  /** Returns one size, or undefined if it is not stored. Throws `data_damaged` if its content has changed. */
  read(media: Media): Promise<StoredSize | undefined>;
  /** Returns all pictures, ordered by name. */
  list(): Promise<readonly KeptImage[]>;
  /** Marks pictures as unused since a time, or as used (null). */
  mark(names: readonly string[], unusedSince: number | null): Promise<void>;
  /** Removes the pictures that have been unused since `until` or longer, and returns their names. */
  remove(names: readonly string[], until: number): Promise<readonly string[]>;
  close(): Promise<void>;
}
