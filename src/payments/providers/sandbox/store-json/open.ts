import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../../base/clock.js';
import type { AppError } from '../../../../base/errors.js';
import { singleFlight } from '../../../../base/single-flight.js';
import { parseRecordFile } from '../../../../storage/json/records/record-file.js';
import {
  type RecordChange as Change,
  openRecordFolder,
  type RecordFolder,
} from '../../../../storage/json/records/record-folder.js';
import { openShortLived } from '../../../../storage/json/records/short-lived.js';
import { refundKey, type SandboxOperation } from '../operation.js';
import { signInLife } from '../sign-in.js';
import { type KeyRecord, sandboxPlans } from './plans.js';
import { openSandboxSessions } from './session-store.js';

/** What names an operation. */
export type OperationName = Pick<SandboxOperation, 'organizationId' | 'id'>;

/** `all`: no two operations have the same id; `organization`: each organization counts from 1001. */
export type Numbering = 'all' | 'organization';

type OperationChange<Result> = Change<SandboxOperation, Result>;
type MaybePromise<Method extends (record: SandboxOperation | undefined) => unknown> =
  | ReturnType<Method>
  | Promise<ReturnType<Method>>;
type NewOperation = Omit<SandboxOperation, 'id' | 'idempotency'>;

/** The sandbox's memory on disk, shared by every process that opens the same folder. */
export type SandboxStore = Awaited<ReturnType<typeof openSandboxStore>>;

/** The most unfinished sign-ins; beyond, the oldest is dropped. */
const mostSignIns = 1_000;

/** Opens the sandbox's folder, creating what is missing. With `onDamaged`, lists leave out what is damaged. */
export async function openSandboxStore(
  folder: string,
  clock: Clock,
  bounds: OperationBounds = usualOperationBounds,
  onDamaged?: (error: AppError) => void,
) {
  const inFolder = <Name extends keyof typeof sandboxPlans>(name: Name) => ({
    folder: join(folder, name),
    plan: sandboxPlans[name],
    clock,
    ...(onDamaged ? { onDamaged } : {}),
  });
  const [signIns, sessions, operations, keys] = await Promise.all([
    openShortLived({
      ...inFolder('sign-ins'),
      life: signInLife,
      most: mostSignIns,
    }),
    openSandboxSessions(join(folder, 'sessions'), clock, undefined, onDamaged),
    openRecordFolder(inFolder('operations')),
    openRecordFolder(inFolder('idempotency-keys')),
  ]);
  const ids = await operations.ids('kept');
  const freshId = createIds(ids, clock);
  const added = createOperationRoom(operations, keys, { count: ids.length, bounds });

  /**
   * Status reads are most of what a sandbox does. Reading one small file synchronously takes 20 µs;
   * the four steps of doing it through the thread pool make thousands of reads a second wait in line.
   */
  function readAtOnce(file: string): SandboxOperation | undefined {
    const path = join(folder, 'operations', 'kept', `${file}.jsonl`);
    try {
      return parseRecordFile(readFileSync(path), path, sandboxPlans.operations).record;
    } catch {
      return undefined; // Reading it the usual way says what is the matter.
    }
  }

  const read = async (file: string) => readAtOnce(file) ?? (await operations.find(file))?.record;

  /** The operation and its file, which is named by its number alone where no other has it. */
  async function find({ organizationId, id }: OperationName) {
    const file = fileOf({ organizationId, id }, 'all');
    const record = await read(file);
    if (record?.organizationId === organizationId) return { file, record };
    const own = fileOf({ organizationId, id }, 'organization');
    return { file: own, record: await read(own) };
  }

  /** Stores an operation, or finds the one that the same key has made; undefined where the id is another's. */
  async function place(made: SandboxOperation, numbering: Numbering) {
    const file = fileOf(made, numbering);
    if (await operations.create(file, made)) {
      await added();
      return made;
    }
    const known = (await operations.find(file))?.record;
    return made.idempotency && known?.idempotency === made.idempotency ? known : undefined;
  }

  async function addUnrepeated(draft: NewOperation, numbering: Numbering) {
    for (;;) {
      const placed = await place({ ...draft, id: freshId(draft, numbering) }, numbering);
      if (placed) return placed;
    }
  }

  /**
   * The key remembers an id before the operation is stored under it, also where it is the second one
   * that is tried: a crash at any step is made good by the next call with the same key.
   */
  async function addUnderKey(draft: NewOperation, key: string, numbering: Numbering) {
    const idempotency = hash('sha256', key);
    const fresh = () => freshId(draft, numbering);
    await keys.create(idempotency, { operationId: fresh() });
    for (;;) {
      const placed = await keys.change(idempotency, async (known) => {
        const id = known?.operationId ?? fresh();
        const before = (await find({ ...draft, id })).record;
        const isMade = before?.idempotency === idempotency;
        const result = isMade ? before : await place({ ...draft, id, idempotency }, numbering);
        return { ...(result ? {} : { record: { operationId: fresh() } }), result };
      });
      if (placed) return placed;
    }
  }

  return {
    /** Sign-ins that are not finished. */
    signIns,
    sessions,
    operation: async (name: OperationName) => (await find(name)).record,
    /** Every operation of this number: organizations may have the same ones. */
    async operationsNumbered(id: number): Promise<readonly SandboxOperation[]> {
      const files = (await operations.ids('kept')).filter((file) => numberIn(file) === id);
      const found = await Promise.all(files.map(read));
      return found.filter((record) => record !== undefined);
    },
    /** Every operation that passes, newest first. */
    async operations(
      wanted: (operation: SandboxOperation) => boolean,
    ): Promise<SandboxOperation[]> {
      const found: SandboxOperation[] = [];
      for await (const { record } of operations.list(['kept'])) {
        if (wanted(record)) found.push(record);
      }
      return found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    },
    /** Stores an operation under a fresh id; a key that was used before gives the operation it made. */
    addOperation: (draft: NewOperation, key: string | undefined, numbering: Numbering = 'all') =>
      key === undefined ? addUnrepeated(draft, numbering) : addUnderKey(draft, key, numbering),
    /** The operation that a key of an organization has made, or that it was remembered for. */
    async operationUnder(organizationId: number, key: string) {
      const known = (await keys.find(hash('sha256', key)))?.record;
      return known && (await find({ organizationId, id: known.operationId })).record;
    },
    /** Remembers for a key the operation that it acts on; gives the one that it was remembered for first. */
    async remember(key: string, operationId: number): Promise<number> {
      const name = hash('sha256', key);
      await keys.create(name, { operationId });
      return (await keys.find(name))?.record.operationId ?? operationId;
    },
    changeOperation: async <Result>(
      name: OperationName,
      change: (
        ...given: Parameters<OperationChange<Result>>
      ) => MaybePromise<OperationChange<Result>>,
    ): Promise<Result> => operations.change((await find(name)).file, change),
    async close(): Promise<void> {
      await Promise.all([signIns, sessions, operations, keys].map((part) => part.close()));
    },
  };
}

/** Organizations that count by themselves begin with this number. */
const firstNumber = 1001;

/**
 * Rising ids that start from the time in seconds, so that ids of a folder that was emptied are not
 * given again; or an organization's own. Two processes may draw the same one; creation decides between them.
 */
function createIds(files: readonly string[], clock: Clock) {
  let last = 0;
  const lastOf = new Map<number, number>();
  for (const file of files) {
    const [organizationId, id] = [Number.parseInt(file, 10), numberIn(file)];
    if (!file.includes('-')) last = Math.max(last, id);
    else lastOf.set(organizationId, Math.max(lastOf.get(organizationId) ?? 0, id));
  }
  return ({ organizationId }: Pick<OperationName, 'organizationId'>, numbering: Numbering) => {
    if (numbering === 'all') {
      last = Math.max(last + 1, Math.floor(clock.now() / 1000));
      return last;
    }
    const next = (lastOf.get(organizationId) ?? firstNumber - 1) + 1;
    lastOf.set(organizationId, next);
    return next;
  };
}

/** How many operations a sandbox keeps. */
interface OperationBounds {
  /** Of more, the oldest go. */
  readonly most: number;
  /** What is left then: making room reads every name, so it makes room for many. */
  readonly keptOfTooMany: number;
}

/** The most operations, and how many are kept if there are more. */
const usualOperationBounds: OperationBounds = { most: 100_000, keptOfTooMany: 99_000 };

/**
 * Gives a function to call for every operation that was added, which removes the oldest ones and their
 * keys once there are too many. `count` is how many there are now; additions of other processes are
 * noticed when room is made.
 */
function createOperationRoom(
  operations: RecordFolder<SandboxOperation, 'kept'>,
  keys: RecordFolder<KeyRecord, 'kept'>,
  { count, bounds }: { readonly count: number; readonly bounds: OperationBounds },
): () => Promise<void> {
  let known = count;

  async function remove(id: string): Promise<void> {
    const found = await operations.find(id);
    for (const key of found ? keysOf(found.record) : []) await keys.remove(key);
    await operations.remove(id);
  }

  const makeRoom = singleFlight(async () => {
    const ids = (await operations.ids('kept')).sort((a, b) => numberIn(a) - numberIn(b));
    const surplus = ids.slice(0, Math.max(0, ids.length - bounds.keptOfTooMany));
    await Promise.all(surplus.map(remove));
    known = ids.length - surplus.length;
  });

  return async function added() {
    known += 1;
    if (known > bounds.most) await makeRoom();
  };
}

/** Names of the keys that an operation and its refunds were made under. */
function keysOf({ idempotency, organizationId, refunds }: SandboxOperation): readonly string[] {
  const ofRefunds = refunds.flatMap(({ idempotencyKey }) =>
    idempotencyKey ? [hash('sha256', refundKey(organizationId, idempotencyKey))] : [],
  );
  return idempotency ? [idempotency, ...ofRefunds] : ofRefunds;
}

/**
 * The name of an operation's file: its number, or where organizations count by themselves, its
 * organization's and its own: `1795230000`, `100017-1001`.
 */
function fileOf(
  { organizationId, id }: Pick<SandboxOperation, 'organizationId' | 'id'>,
  numbering: 'all' | 'organization',
): string {
  return numbering === 'all' ? String(id) : `${organizationId}-${id}`;
}

/** The number of the operation in a file of this name. */
function numberIn(file: string): number {
  return Number(file.slice(file.indexOf('-') + 1));
}
