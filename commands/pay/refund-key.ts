import { hash, randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { CreateRefund, IntentRow } from '#validators/gateway';
import { AppError } from '../../src/base/errors.js';
import {
  createFile,
  ensureFolder,
  listFolder,
  readTextFile,
  removeFile,
} from '../../src/base/files/durable-write.js';
import { systemFiles as files } from '../../src/base/files/file-layer.js';
import { toTiyns } from '../../src/payments/amount.js';
import type { CashierCalls } from '../../src/payments/client/gateway-client.js';
import {
  currentProcess,
  livenessOf,
  type ProcessIdentity,
} from '../../src/storage/json/ownership/ownership.js';
import { configOf } from '../config-options.js';
import type { PayContext } from './pay-context.js';

/** The key of a refund. It outlives the process that requests the refund. */
export interface HeldKey {
  readonly key: string;
  /** True if the key has not been used in a request. */
  readonly isNew: boolean;
  /** True if an earlier run of the same refund on this machine exited without showing its outcome. */
  readonly isLeft: boolean;
  /** The refund with this key in the gateway's records. */
  readonly earlier: IntentRow | undefined;
  /** Writes the key to disk. Call it before the request is sent. */
  keep(): Promise<void>;
  /** Deletes the key. Call it once the outcome of the refund has been shown. */
  forget(): Promise<void>;
}

/** The content of the key file that one run of a refund writes. */
interface Kept {
  readonly key: string;
  readonly process: ProcessIdentity;
}

/** A key file on disk. */
interface Found extends Kept {
  readonly path: string;
  /** When the key was written, in milliseconds since the epoch. */
  readonly since: number;
}

/** Time for which a refund key is stored, in milliseconds. Gateways store keys for the same time. @bound */
const keptFor = 24 * 3_600_000;
/** Maximum number of stored refund keys. If there are more, the oldest are removed. */
const maxKept = 1_000;
/** Time after which a run is assumed to have ended if its process cannot be checked, in milliseconds. */
const maxRun = 600_000;

/**
 * Returns the key for a refund: the key of an earlier run on this machine, or else the key from the gateway's records.
 * With `isAnother`, returns a new key and deletes the keys of earlier runs.
 */
export async function holdRefundKey(
  pay: PayContext,
  cashier: CashierCalls,
  { order, isAnother }: { readonly order: CreateRefund; readonly isAnother: boolean },
): Promise<HeldKey> {
  const { clock } = pay.context;
  const folder = join(dirname(pay.sessionFile), 'refund-keys');
  const name = nameOf(pay, (await cashier.facts()).organizationId, order);
  const process = await currentProcess();
  const known = await findKept(folder, name, clock.now()).catch((cause: unknown) => {
    throw notKept(folder, cause);
  });
  const left = isAnother ? undefined : known[0];
  const found = isAnother ? undefined : await cashier.refundKey(order);
  const key = left?.key ?? found?.key ?? randomUUID();
  let written: string | undefined;

  /** Returns whether the run that wrote a key has ended. */
  async function hasEnded({ process: other, since }: Found): Promise<boolean> {
    if (JSON.stringify(other) === JSON.stringify(process)) return true;
    const liveness = await livenessOf(other);
    return liveness === 'unknown' ? clock.now() - since >= maxRun : liveness === 'dead';
  }

  return {
    key,
    isNew: isAnother,
    isLeft: left !== undefined,
    earlier: found?.key === key ? found.earlier : undefined,
    async keep() {
      if (written !== undefined) return;
      const path = join(folder, `${name}-${clock.now()}-${randomBytes(6).toString('hex')}.json`);
      try {
        await ensureFolder(files, folder);
        await createFile(path, `${JSON.stringify({ key, process } satisfies Kept)}\n`, {
          mode: 0o600,
        });
      } catch (cause) {
        throw notKept(folder, cause);
      }
      written = path;
      if (isAnother) await remove(known);
    },
    async forget() {
      const ended: Found[] = [];
      for (const each of known) if (each.key === key && (await hasEnded(each))) ended.push(each);
      await remove([...ended, ...(written === undefined ? [] : [{ path: written }])]);
    },
  };
}

/** Returns a digest of a refund's gateway, payment and amount. It hides the password that an address may contain. */
function nameOf(
  { gateway, context, input }: PayContext,
  organizationId: number,
  { qrOperationId, returnAmount }: CreateRefund,
): string {
  const localAddress = () => {
    const { database, data } = configOf(context, input);
    return database ?? data;
  };
  const address = gateway.origin ?? localAddress();
  const parts = [address, organizationId, String(qrOperationId), toTiyns(returnAmount)];
  return hash('sha256', JSON.stringify(parts)).slice(0, 40);
}

/** Returns the keys of a refund, newest first. Removes the keys of any refund that are too old or exceed the limit. */
async function findKept(folder: string, name: string, now: number): Promise<Found[]> {
  const names = await listFolder(files, folder);
  const all = names.flatMap((each) => {
    const [, of, since] = /^([0-9a-f]{40})-(\d{1,16})-/.exec(each) ?? [];
    return of ? [{ of, path: join(folder, each), since: Number(since) }] : [];
  });
  const newest = all.sort((a, b) => b.since - a.since);
  const isKept = ({ since }: { since: number }, index: number) =>
    now - since < keptFor && index < maxKept;
  await remove(newest.filter((each, index) => !isKept(each, index)));
  const found: Found[] = [];
  for (const { of, path, since } of newest.filter(isKept)) {
    const kept = of === name ? parse(await readTextFile(files, path)) : undefined;
    if (kept) found.push({ ...kept, path, since });
  }
  return found;
}

/** Parses a key file. Returns undefined for an incomplete file, whose refund was never sent. */
function parse(text: string | undefined): Kept | undefined {
  try {
    const { key, process } = JSON.parse(text ?? '') as Partial<Kept>;
    const isKept = typeof key === 'string' && key !== '' && typeof process?.pid === 'number';
    return isKept ? { key, process } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes files if possible. The key of a remaining file is used again, which does not return the money twice. */
async function remove(kept: readonly { readonly path: string }[]): Promise<void> {
  for (const { path } of kept) await removeFile(files, path).catch(() => {});
}

function notKept(folder: string, cause: unknown): AppError {
  return new AppError(
    'storage_unavailable',
    `The key of the refund cannot be written to ${folder}. Nothing was returned.`,
    {
      hint: 'Set XDG_CONFIG_HOME to a folder that this user can write to, or choose a session file in such a folder with --session.',
      cause,
    },
  );
}
