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
  /** Makes the sizes of a picture, or says why not. */
  resize(bytes: Buffer): Promise<Sizes>;
  /** Names of all pictures that something refers to. */
  referenced(): Promise<ReadonlySet<string>>;
}

/** The most pictures that wait while another one is processed; each takes up to 5 MB of memory. */
const mostWaiting = 4;
/** How often unused pictures are looked for, in milliseconds. */
const roundEvery = 24 * 60 * 60_000;
/** How far the wall clock may go off the monotonic one between two rounds, in milliseconds. */
const tolerance = 60 * 60_000;

/** The site's pictures: uploaded, served, and removed when nothing has referred to them for 30 days. */
export function createImages({ store, clock, log, resize, referenced }: ImagesOptions) {
  /** Decoding takes memory by the pixels: one picture at a time. */
  const oneByOne = pLimit(1);
  const lead = () => clock.now() - clock.monotonic();
  let lastLead = lead();

  const isThere = (name: string) => store.renew(name, clock.now());

  /** False where the very same picture has come meanwhile. */
  async function addInTurn(name: string, bytes: Buffer, signal: AbortSignal): Promise<boolean> {
    if (oneByOne.pendingCount >= mostWaiting) throw tooMany();
    return oneByOne(async () => {
      // Nobody waits for the answer any more, or the server is to stop.
      if (signal.aborted) throw notAnyMore(signal);
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
    if (removed.length > 0)
      log.info({ images: removed }, 'Pictures that nothing used were removed.');
  }

  return {
    /**
     * Stores a picture and gives its name; `isNew` is false where the very same bytes were stored before. Throws what
     * `resize` throws, and `rate_limited` where too many wait.
     */
    async add(bytes: Buffer, signal: AbortSignal): Promise<{ name: string; isNew: boolean }> {
      assertPicture(bytes);
      const name = imageNameFor(bytes);
      const isNew = !(await isThere(name)) && (await addInTurn(name, bytes, signal));
      return { name, isNew };
    },
    /** One size with its digest; undefined where there is none. */
    read: (media: Media) => store.read(media),
    removeUnused,
    /** Looks for unused pictures, at once and then daily, until the signal aborts. */
    run: (signal: AbortSignal) =>
      every(roundEvery, removeUnused, {
        clock,
        signal,
        onError: (err) =>
          log.warn({ err }, 'Unused pictures could not be looked for; it is tried again.'),
      }),
  };
}

function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many pictures are worked on. Try again in 5 seconds.', {
    headers: { 'Retry-After': '5' },
  });
}

function notAnyMore({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before it was its turn.');
}

const day = 24 * 60 * 60_000;

/** Milliseconds for which an unreferenced picture is kept. @bound */
export const unusedFor = 30 * day;

interface UnusedPlan {
  /** Referred to again. */
  readonly used: readonly string[];
  /** Unused from now on: for the first time, or because the time that it was is not to be trusted. */
  readonly unused: readonly string[];
  readonly expired: readonly string[];
}

/**
 * What becomes of pictures, by what is referred to. `now` in milliseconds; where the clock has `jumped` since the last
 * round, or a picture is unused since a time to come, its 30 days begin again.
 */
export function planUnused(
  images: readonly KeptImage[],
  referenced: ReadonlySet<string>,
  { now, jumped }: { readonly now: number; readonly jumped: boolean },
): UnusedPlan {
  const named = (wanted: (image: KeptImage) => boolean) =>
    images.filter(wanted).map(({ name }) => name);
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
