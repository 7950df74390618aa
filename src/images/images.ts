import pLimit from 'p-limit';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { Media } from './media.js';
import { imageNameFor } from './media.js';
import { assertPicture, type Sizes } from './resize.js';
import type { ImageStore, KeptImage } from './store.js';

export type Images = ReturnType<typeof createImages>;

export interface ImagesOptions {
  readonly store: ImageStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Creates the sizes of a picture. */
  resize(bytes: Buffer): Promise<Sizes>;
  /** Returns the names of all referenced pictures. */
  referenced(): Promise<ReadonlySet<string>>;
}

/** Maximum number of pictures that wait while another is processed. Each takes up to 5 MB of memory. */
const maxWaiting = 4;
/** Time between two searches for unused pictures, in milliseconds. */
const roundEvery = 24 * 60 * 60_000;
/** Time by which the wall clock may drift from the monotonic clock between two searches, in milliseconds. */
const tolerance = 60 * 60_000;

/** Returns the operations on the site's pictures. Pictures that are unreferenced for 30 days are removed. */
export function createImages({ store, clock, log, resize, referenced }: ImagesOptions) {
  /** Decodes one picture at a time, because decoding takes memory for every pixel. */
  const oneByOne = pLimit(1);
  const lead = () => clock.now() - clock.monotonic();
  let lastLead = lead();

  const isThere = (name: string) => store.renew(name, clock.now());

  /** Returns false if the same picture has been added in the meantime. */
  async function addInTurn(name: string, bytes: Buffer, signal: AbortSignal): Promise<boolean> {
    if (oneByOne.pendingCount >= maxWaiting) throw tooMany();
    return oneByOne(async () => {
      // The client has disconnected, or the server is stopping.
      if (signal.aborted) throw cancelled(signal);
      if (await isThere(name)) return false;
      await store.add(name, await resize(bytes), clock.now());
      return true;
    });
  }

  async function removeUnused(): Promise<void> {
    const now = clock.now();
    const jumped = Math.abs(lead() - lastLead) > tolerance;
    lastLead = lead();
    const { used, unused, expired } = planUnused(await store.list(), await referenced(), {
      now,
      jumped,
    });
    await store.mark(used, null);
    await store.mark(unused, now);
    const removed = await store.remove(expired, now - unusedFor);
    if (removed.length > 0) log.info({ images: removed }, 'Removed unused pictures.');
  }

  return {
    /**
     * Stores a picture and returns its name. `isNew` is false if the same bytes are already stored. Throws the errors
     * of `resize`, and `rate_limited` if too many pictures are waiting.
     */
    async add(bytes: Buffer, signal: AbortSignal): Promise<{ name: string; isNew: boolean }> {
      assertPicture(bytes);
      const name = imageNameFor(bytes);
      const isNew = !(await isThere(name)) && (await addInTurn(name, bytes, signal));
      return { name, isNew };
    },
    /** Returns one size with its digest, or undefined for an unknown picture. */
    read: (media: Media) => store.read(media),
    removeUnused,
    /** Removes unused pictures immediately and then daily, until the signal aborts. */
    run: (signal: AbortSignal) =>
      every(roundEvery, removeUnused, {
        clock,
        signal,
        onError: (err) =>
          log.warn({ err }, 'Could not search for unused pictures; retrying later.'),
      }),
  };
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    'Too many pictures are being processed. Try again in 5 seconds.',
    {
      headers: { 'Retry-After': '5' },
    },
  );
}

function cancelled({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before the picture was processed.');
}

const day = 24 * 60 * 60_000;

/** Time for which an unreferenced picture is kept, in milliseconds. @bound */
export const unusedFor = 30 * day;

interface UnusedPlan {
  readonly used: readonly string[];
  /** Names of pictures to mark as unused now, because they are newly unused or their recorded time is unreliable. */
  readonly unused: readonly string[];
  readonly expired: readonly string[];
}

/**
 * Determines which pictures to mark or remove. `now` is in milliseconds. The 30 days of a picture start again if the
 * clock has jumped since the last search (`jumped`), or if its recorded time is in the future.
 */
export function planUnused(
  images: readonly KeptImage[],
  referenced: ReadonlySet<string>,
  { now, jumped }: { readonly now: number; readonly jumped: boolean },
): UnusedPlan {
  const named = (matches: (image: KeptImage) => boolean) =>
    images.filter(matches).map(({ name }) => name);
  const isUsed = ({ name }: KeptImage) => referenced.has(name);
  const begins = ({ unusedSince }: KeptImage) =>
    unusedSince === null || unusedSince > now || jumped;
  return {
    used: named((image) => isUsed(image) && image.unusedSince !== null),
    unused: named((image) => !isUsed(image) && begins(image)),
    expired: named(
      (image) => !isUsed(image) && !begins(image) && now - (image.unusedSince ?? now) >= unusedFor,
    ),
  };
}
