import { hash, randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
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
import type { CashierCalls, RefundOrder } from '../../src/payments/client/gateway-client.js';
import type { IntentRow } from '../../src/payments/payment-view.js';
import {
  currentProcess,
  livenessOf,
  type ProcessIdentity,
} from '../../src/storage/json/ownership/process-identity.js';
import { configOf } from '../config-options.js';
import type { PayContext } from './pay-context.js';

/** The key of a refund, which outlives the process that asks for it. */
export interface HeldKey {
  readonly key: string;
  /** True where no request was ever made under it. */
  readonly isNew: boolean;
  /** True where an earlier run of the same refund on this machine did not show what came of it. */
  readonly isLeft: boolean;
  /** The same refund under this key that the gateway knows of. */
  readonly earlier: IntentRow | undefined;
  /** Writes the key down. To be called before the first byte is sent. */
  keep(): Promise<void>;
  /** Forgets the key. To be called once it was shown what came of the refund. */
  forget(): Promise<void>;
}

/** The record of a run of a refund. */
interface Kept {
  readonly key: string;
  readonly process: ProcessIdentity;
}

/** A kept key, and where. */
interface Found extends Kept {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds for which a gateway knows a key, and thus for which it is kept here. */
const keptFor = 24 * 3_600_000;
/** More keys are not kept: the oldest ones go. */
const mostKept = 1_000;
/** A run whose process cannot be seen from here has ended after so many milliseconds. */
const longestRun = 600_000;

/**
 * The key to make a refund under: the one that an earlier run on this machine has left behind, else the one that the
 * gateway's records come to. With `isAnother` it is a new one, and what was left behind is forgotten.
 */
export async function holdRefundKey(
  pay: PayContext,
  cashier: CashierCalls,
  { order, isAnother }: { readonly order: RefundOrder; readonly isAnother: boolean },
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
  let own: string | undefined;

  /** Returns whether the run that kept a key has ended: another one may be under way beside this one. */
  async function isOver({ process: other, since }: Found): Promise<boolean> {
    if (JSON.stringify(other) === JSON.stringify(process)) return true;
    const liveness = await livenessOf(other);
    return liveness === 'unknown' ? clock.now() - since >= longestRun : liveness === 'dead';
  }

  return {
    key,
    isNew: isAnother,
    isLeft: left !== undefined,
    earlier: found?.key === key ? found.earlier : undefined,
    async keep() {
      if (own !== undefined) return;
      const path = join(folder, `${name}-${clock.now()}-${randomBytes(6).toString('hex')}.json`);
      try {
        await ensureFolder(files, folder);
        await createFile(path, `${JSON.stringify({ key, process } satisfies Kept)}\n`, {
          mode: 0o600,
        });
      } catch (cause) {
        throw notKept(folder, cause);
      }
      own = path;
      if (isAnother) await remove(known);
    },
    async forget() {
      const over: Found[] = [];
      for (const each of known) if (each.key === key && (await isOver(each))) over.push(each);
      await remove([...over, ...(own === undefined ? [] : [{ path: own }])]);
    },
  };
}

/** Names a refund by where it is made, of what, and how much: a digest, as an address may hold a password. */
function nameOf(
  { gateway, context, input }: PayContext,
  organizationId: number,
  { qrOperationId, returnAmount }: RefundOrder,
): string {
  const place = gateway.origin ?? placeOf(configOf(context, input));
  const parts = [place, organizationId, String(qrOperationId), toTiyns(returnAmount)];
  return hash('sha256', JSON.stringify(parts)).slice(0, 40);
}

function placeOf({
  database,
  data,
}: {
  readonly database?: string | undefined;
  readonly data: string;
}) {
  return database ?? data;
}

/** The kept keys of a refund, the newest first. Those of any refund that are too old or too many are removed. */
async function findKept(folder: string, name: string, now: number): Promise<Found[]> {
  const names = await listFolder(files, folder);
  const all = names.flatMap((each) => {
    const [, of, since] = /^([0-9a-f]{40})-(\d{1,16})-/.exec(each) ?? [];
    return of ? [{ of, path: join(folder, each), since: Number(since) }] : [];
  });
  const newest = all.sort((a, b) => b.since - a.since);
  const isKept = ({ since }: { since: number }, index: number) =>
    now - since < keptFor && index < mostKept;
  await remove(newest.filter((each, index) => !isKept(each, index)));
  const found: Found[] = [];
  for (const { of, path, since } of newest.filter(isKept)) {
    const kept = of === name ? parse(await readTextFile(files, path)) : undefined;
    if (kept) found.push({ ...kept, path, since });
  }
  return found;
}

/** Reads a file; undefined where it was cut off while it was written, before anything was sent. */
function parse(text: string | undefined): Kept | undefined {
  try {
    const { key, process } = JSON.parse(text ?? '') as Partial<Kept>;
    const isKept = typeof key === 'string' && key !== '' && typeof process?.pid === 'number';
    return isKept ? { key, process } : undefined;
  } catch {
    return undefined;
  }
}

/** A file that cannot be removed stays: its key is used once more, which returns nothing twice. */
async function remove(kept: readonly { readonly path: string }[]): Promise<void> {
  for (const { path } of kept) await removeFile(files, path).catch(() => {});
}

function notKept(folder: string, cause: unknown): AppError {
  return new AppError(
    'storage_unavailable',
    `The key of the refund cannot be kept in ${folder}: nothing was returned.`,
    {
      hint: 'Set XDG_CONFIG_HOME to a folder that this user may write to, or name a session file in one with --session.',
      cause,
    },
  );
}
