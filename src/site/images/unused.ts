import type { KeptImage } from './store.js';

const day = 24 * 60 * 60_000;

/** Milliseconds for which an unreferenced picture is kept. @bound */
export const unusedFor = 30 * day;

export interface UnusedPlan {
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
