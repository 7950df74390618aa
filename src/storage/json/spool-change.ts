import { AppError } from '../../base/errors.js';
import type { Spool, SpoolClaim } from './spool.js';

/** What to store instead of a record (nothing = leave it) and what to give back. */
export type Change<T, Result> = (record: T | undefined) => {
  readonly record?: T;
  readonly result: Result;
};

/** A change takes milliseconds; a longer claim belongs to a process that hangs. */
const claimLife = 10_000;
/** Milliseconds until a claim that somebody else has is asked for again. */
const retryAfter = 5;

/** Does `work` while nobody else changes the record; with undefined where there is no such record. */
export async function exclusively<T extends object, State extends string, Result>(
  spool: Spool<T, State>,
  id: string,
  work: (record: T | undefined) => Promise<Result>,
): Promise<Result> {
  const claim = await claimPatiently(spool, id);
  if (!claim) return work(undefined);
  try {
    return await work(claim.entry.record);
  } finally {
    await claim.release();
  }
}

/** Applies a change while nobody else changes the record. */
export async function changeRecord<T extends object, State extends string, Result>(
  spool: Spool<T, State>,
  id: string,
  change: Change<T, Result>,
): Promise<Result> {
  return exclusively(spool, id, async (before) => {
    const { record, result } = change(before);
    if (before && record) await spool.update(id, record);
    return result;
  });
}

async function claimPatiently<T extends object, State extends string>(
  spool: Spool<T, State>,
  id: string,
): Promise<SpoolClaim<T, State> | undefined> {
  for (let waited = 0; waited < claimLife; waited += retryAfter) {
    if (!(await spool.read(id))) return undefined;
    const claim = await spool.claim(id, 'change', claimLife);
    if (claim) return claim;
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
  }
  throw new AppError('storage_unavailable', `The record ${id} stays locked by another process.`);
}
