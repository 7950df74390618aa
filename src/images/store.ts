import type { Media } from './media.js';
import type { Sizes } from './resize.js';

/** A picture that is stored, as the clean-up sees it. */
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
 * What the pictures need of a storage. Every promise of a change resolves only when the change is durable; a storage
 * that cannot take it rejects with `storage_unavailable` and keeps nothing of it.
 */
export interface ImageStore {
  /**
   * Whether all sizes of a picture are there and whole; if so, one that is unused counts as unused from `now` on,
   * however long it had been: whoever asks is about to use it.
   */
  renew(name: string, now: number): Promise<boolean>;
  /** Stores all sizes of a picture, or none; it counts as unused from `now` on. Harmless where it is there already. */
  add(name: string, sizes: Sizes, now: number): Promise<void>;
  /** One size; undefined where there is none. `data_damaged` where it is not what was stored. */
  read(media: Media): Promise<StoredSize | undefined>;
  /** Every picture, in the order of names. */
  list(): Promise<readonly KeptImage[]>;
  /** Says since when these are unused, or that they are used. */
  mark(names: readonly string[], unusedSince: number | null): Promise<void>;
  /** Removes those of these that are unused since `until` or longer by now; gives their names. */
  remove(names: readonly string[], until: number): Promise<readonly string[]>;
  close(): Promise<void>;
}
