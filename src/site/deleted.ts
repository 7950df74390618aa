/** How long, and how many of each kind, deleted things can be restored. */

/** The most deleted products, and announcements, that can be restored; the oldest are removed first. */
export const mostDeleted = 1_000;

export interface DeletedOptions {
  /** Milliseconds for which what was deleted can be restored; may be Infinity. */
  readonly keepDeletedMs: number;
}

/** Whether what was deleted then (ISO 8601) can still be restored; `now` in milliseconds. */
export function isRestorable(
  { deletedAt }: { readonly deletedAt: string },
  { now, keepDeletedMs }: DeletedOptions & { readonly now: number },
): boolean {
  return Date.parse(deletedAt) > now - keepDeletedMs;
}
