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

/** Identifies an operation. */
export type OperationName = Pick<SandboxOperation, 'organizationId' | 'id'>;

/** With `all`, operations have unique IDs. With `organization`, each organization has its own numbers from 1001. */
export type Numbering = 'all' | 'organization';

type OperationChange<Result> = Change<SandboxOperation, Result>;
type MaybePromise<Method extends (record: SandboxOperation | undefined) => unknown> =
  | ReturnType<Method>
  | Promise<ReturnType<Method>>;
type NewOperation = Omit<SandboxOperation, 'id' | 'idempotency'>;

/** The sandbox's store on disk, shared by every process that opens the same folder. */
export type SandboxStore = Awaited<ReturnType<typeof openSandboxStore>>;

/** Maximum number of unfinished sign-ins. Beyond it, the oldest are removed. */
const maxSignIns = 1_000;

/** Opens the sandbox's folder and creates missing parts. With `onDamaged`, lists skip and report damaged records. */
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
      max: maxSignIns,
    }),
    openSandboxSessions(join(folder, 'sessions'), clock, undefined, onDamaged),
    openRecordFolder(inFolder('operations')),
    openRecordFolder(inFolder('idempotency-keys')),
  ]);
  const ids = await operations.ids('kept');
  const freshId = createIds(ids, clock);
  const added = createOperationRoom(operations, keys, { count: ids.length, bounds });

  /**
   * Reads a record synchronously, which takes 20 µs. Most calls read a status, and asynchronous reads would fill the
   * thread pool's queue at thousands of calls per second.
   */
  function readNow(file: string): SandboxOperation | undefined {
    const path = join(folder, 'operations', 'kept', `${file}.jsonl`);
    try {
      return parseRecordFile(readFileSync(path), path, sandboxPlans.operations).record;
    } catch {
      return undefined; // The asynchronous read reports the error.
    }
  }

  const read = async (file: string) => readNow(file) ?? (await operations.find(file))?.record;

  /** Returns an operation and the name of its file. */
  async function find({ organizationId, id }: OperationName) {
    const file = fileOf({ organizationId, id }, 'all');
    const record = await read(file);
    if (record?.organizationId === organizationId) return { file, record };
    const numbered = fileOf({ organizationId, id }, 'organization');
    return { file: numbered, record: await read(numbered) };
  }

  /** Stores an operation, or returns the existing one of the same key. Returns undefined if the ID is taken. */
  async function tryStore(made: SandboxOperation, numbering: Numbering) {
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
      const stored = await tryStore({ ...draft, id: freshId(draft, numbering) }, numbering);
      if (stored) return stored;
    }
  }

  /**
   * Stores an operation under a key. The ID is stored with the key before the operation, so that the next call with the
   * same key completes an operation that a crash has interrupted.
   */
  async function addUnderKey(draft: NewOperation, key: string, numbering: Numbering) {
    const idempotency = hash('sha256', key);
    const fresh = () => freshId(draft, numbering);
    await keys.create(idempotency, { operationId: fresh() });
    for (;;) {
      const stored = await keys.change(idempotency, async (known) => {
        const id = known?.operationId ?? fresh();
        const before = (await find({ ...draft, id })).record;
        const isMade = before?.idempotency === idempotency;
        const result = isMade ? before : await tryStore({ ...draft, id, idempotency }, numbering);
        return { ...(result ? {} : { record: { operationId: fresh() } }), result };
      });
      if (stored) return stored;
    }
  }

  return {
    /** Unfinished sign-ins. */
    signIns,
    sessions,
    operation: async (name: OperationName) => (await find(name)).record,
    /** Returns all operations with this number, which several organizations may have. */
    async operationsNumbered(id: number): Promise<readonly SandboxOperation[]> {
      const files = (await operations.ids('kept')).filter((file) => numberIn(file) === id);
      const found = await Promise.all(files.map(read));
      return found.filter((record) => record !== undefined);
    },
    /** Returns all matching operations, newest first. */
    async operations(
      matches: (operation: SandboxOperation) => boolean,
    ): Promise<SandboxOperation[]> {
      const found: SandboxOperation[] = [];
      for await (const { record } of operations.list(['kept'])) {
        if (matches(record)) found.push(record);
      }
      return found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    },
    /** Stores an operation under a new ID, or returns the existing operation of the key. */
    addOperation: (draft: NewOperation, key: string | undefined, numbering: Numbering = 'all') =>
      key === undefined ? addUnrepeated(draft, numbering) : addUnderKey(draft, key, numbering),
    /** Returns the operation that is stored under a key of an organization. */
    async operationUnder(organizationId: number, key: string) {
      const known = (await keys.find(hash('sha256', key)))?.record;
      return known && (await find({ organizationId, id: known.operationId })).record;
    },
    /** Stores the operation ID of a key. Returns the ID that was stored first under the key. */
    async remember(key: string, operationId: number): Promise<number> {
      const name = hash('sha256', key);
      await keys.create(name, { operationId });
      return (await keys.find(name))?.record.operationId ?? operationId;
    },
    changeOperation: async <Result>(
      name: OperationName,
      change: (
        ...args: Parameters<OperationChange<Result>>
      ) => MaybePromise<OperationChange<Result>>,
    ): Promise<Result> => operations.change((await find(name)).file, change),
    async close(): Promise<void> {
      await Promise.all([signIns, sessions, operations, keys].map((part) => part.close()));
    },
  };
}

/** First operation number of an organization with its own numbers. */
const firstNumber = 1001;

/**
 * Creates the function that assigns IDs: increasing IDs from the time in seconds, so that an emptied folder does not
 * reuse IDs, or separate numbers for each organization. If two processes choose the same ID, only one can create its
 * operation.
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

interface OperationBounds {
  readonly max: number;
  /** Number of operations that remain after a removal. Each removal deletes many, because it reads all names. */
  readonly keptOfTooMany: number;
}

/** Maximum number of operations, and the number that is kept when it is exceeded. */
const usualOperationBounds: OperationBounds = { max: 100_000, keptOfTooMany: 99_000 };

/**
 * Returns a function to call after each added operation. It removes the oldest operations and their keys when there are
 * too many. `count` is the current number. Operations of other processes are counted at each removal.
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
    if (known > bounds.max) await makeRoom();
  };
}

/** Returns the names of the keys of an operation and its refunds. */
function keysOf({ idempotency, organizationId, refunds }: SandboxOperation): readonly string[] {
  const ofRefunds = refunds.flatMap(({ idempotencyKey }) =>
    idempotencyKey ? [hash('sha256', refundKey(organizationId, idempotencyKey))] : [],
  );
  return idempotency ? [idempotency, ...ofRefunds] : ofRefunds;
}

/**
 * Returns the name of an operation's file: its number, such as `1795230000`, or its organization and number, such as
 * `100017-1001`, if each organization has its own numbers.
 */
function fileOf(
  { organizationId, id }: Pick<SandboxOperation, 'organizationId' | 'id'>,
  numbering: 'all' | 'organization',
): string {
  return numbering === 'all' ? String(id) : `${organizationId}-${id}`;
}

/** Returns the operation's number from the name of its file. */
function numberIn(file: string): number {
  return Number(file.slice(file.indexOf('-') + 1));
}
