import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.js';
import { AppError } from '../../../errors.js';
import { createSpool, type Spool } from '../../../storage/json/spool.js';
import type { SandboxOperation } from './operation.js';
import type { SignInProcess } from './sign-in.js';

/** A session that the sandbox gave. The secret itself is not kept, only its digest. */
export interface SandboxSession {
  readonly tokenSN: string;
  readonly secretDigest: string;
  readonly phone: string;
  readonly organizationId: number;
  readonly createdAt: number;
  readonly endedAt?: number;
}

/** Which operation an idempotency key made. */
interface KeyRecord {
  readonly operationId: number;
}

type NewOperation = Omit<SandboxOperation, 'id' | 'idempotency'>;

/** The sandbox's memory on disk, shared by every process that opens the same folder. */
export interface SandboxStore {
  process(id: string): Promise<SignInProcess | undefined>;
  addProcess(process: SignInProcess): Promise<void>;
  /** Applies a change while nobody else changes the record; `change` gives undefined to leave it. */
  changeProcess<Result>(id: string, change: Change<SignInProcess, Result>): Promise<Result>;
  session(tokenSN: string): Promise<SandboxSession | undefined>;
  addSession(session: SandboxSession): Promise<void>;
  endSession(tokenSN: string, now: number): Promise<void>;
  endSessionsOf(organizationId: number, now: number): Promise<void>;
  operation(id: number): Promise<SandboxOperation | undefined>;
  /** Every operation that passes, newest first. */
  operations(wanted: (operation: SandboxOperation) => boolean): Promise<SandboxOperation[]>;
  /** Stores an operation under a fresh id; a key that was used before gives the operation it made. */
  addOperation(draft: NewOperation, key: string | undefined): Promise<SandboxOperation>;
  changeOperation<Result>(id: number, change: Change<SandboxOperation, Result>): Promise<Result>;
}

/** What to store instead of a record (nothing = leave it) and what to give back. */
export type Change<T, Result> = (record: T | undefined) => {
  readonly record?: T;
  readonly result: Result;
};

/** A change takes milliseconds; a longer claim belongs to a process that hangs. */
const claimLife = 10_000;
const retryAfter = 5;
/** A session that another process has ended is accepted for this long at most, in milliseconds. */
const sessionFreshFor = 200;

/** Opens the sandbox's folder, creating what is missing. */
export async function openSandboxStore(folder: string, clock: Clock): Promise<SandboxStore> {
  const open = <T extends object>(name: string): Promise<Spool<T, 'kept'>> =>
    createSpool<T, 'kept'>({ folder: join(folder, name), states: { kept: 'flat' }, clock });
  const [processes, sessions, operations, keys] = await Promise.all([
    open<SignInProcess>('sign-ins'),
    open<SandboxSession>('sessions'),
    open<SandboxOperation>('operations'),
    open<KeyRecord>('idempotency-keys'),
  ]);
  const freshId = await createIds(operations, clock);

  // Every call asks for its session; reading the file each time would be half of a call's work.
  const seen = new LRUCache<string, { session: SandboxSession; readAt: number }>({ max: 1000 });

  async function readSession(tokenSN: string): Promise<SandboxSession | undefined> {
    const recent = seen.get(tokenSN);
    if (recent && clock.now() - recent.readAt < sessionFreshFor) return recent.session;
    const session = (await sessions.read(sessionKey(tokenSN)))?.record;
    if (session) seen.set(tokenSN, { session, readAt: clock.now() });
    return session;
  }

  /**
   * Status reads are most of what a sandbox does. Reading one small file synchronously takes 20 µs;
   * the four steps of doing it through the thread pool make thousands of reads a second wait in line.
   */
  function readAtOnce(id: number): SandboxOperation | undefined {
    try {
      const text = readFileSync(join(folder, 'operations', 'kept', `${id}.json`), 'utf8');
      return (JSON.parse(text) as { readonly record: SandboxOperation }).record; // Written by a spool.
    } catch {
      return undefined; // The spool tells what is the matter.
    }
  }

  async function endOne(tokenSN: string, now: number): Promise<void> {
    await changeRecord(sessions, sessionKey(tokenSN), (session) => ({
      ...(session && !session.endedAt ? { record: { ...session, endedAt: now } } : {}),
      result: undefined,
    }));
    seen.delete(tokenSN);
  }

  /** Tries ids from `first` on until one is free, or holds what the same key has made already. */
  async function place(draft: NewOperation, first: number, idempotency?: string) {
    for (let id = first; ; id = freshId()) {
      const made = { ...draft, id, ...(idempotency ? { idempotency } : {}) };
      const { record, created } = await operations.create(String(id), 'kept', made);
      if (created || (idempotency && record.idempotency === idempotency)) return record;
    }
  }

  return {
    process: async (id) => (await processes.read(id))?.record,
    async addProcess(process) {
      await processes.create(process.id, 'kept', process);
    },
    changeProcess: (id, change) => changeRecord(processes, id, change),
    session: readSession,
    async addSession(session) {
      await sessions.create(sessionKey(session.tokenSN), 'kept', session);
    },
    endSession: endOne,
    async endSessionsOf(organizationId, now) {
      for await (const { record } of sessions.list('kept')) {
        if (record.organizationId === organizationId) await endOne(record.tokenSN, now);
      }
    },
    operation: async (id) => readAtOnce(id) ?? (await operations.read(String(id)))?.record,
    async operations(wanted) {
      const found: SandboxOperation[] = [];
      for await (const { record } of operations.list('kept'))
        if (wanted(record)) found.push(record);
      return found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    },
    async addOperation(draft, key) {
      if (key === undefined) return place(draft, freshId());
      const idempotency = digest(key);
      // The key remembers the id before the operation exists: a crash in between is made good by
      // the next call with the same key, which finds the operation or a place for it.
      await keys.create(idempotency, 'kept', { operationId: freshId() });
      return exclusively(keys, idempotency, async (known, update) => {
        const operationId = known?.operationId ?? freshId();
        const operation = await place(draft, operationId, idempotency);
        if (operation.id !== operationId) await update({ operationId: operation.id });
        return operation;
      });
    },
    changeOperation: (id, change) => changeRecord(operations, String(id), change),
  };

  async function changeRecord<T extends object, Result>(
    spool: Spool<T, 'kept'>,
    id: string,
    change: Change<T, Result>,
  ): Promise<Result> {
    if (!(await spool.read(id))) return change(undefined).result;
    return exclusively(spool, id, async (before, update) => {
      const { record, result } = change(before);
      if (record) await update(record);
      return result;
    });
  }

  async function exclusively<T extends object, Result>(
    spool: Spool<T, 'kept'>,
    id: string,
    work: (record: T | undefined, update: (record: T) => Promise<unknown>) => Promise<Result>,
  ): Promise<Result> {
    const claim = await claimPatiently(spool, id);
    try {
      return await work(claim.entry.record, (record) => spool.update(id, record));
    } finally {
      await claim.release();
    }
  }
}

async function claimPatiently<T extends object>(spool: Spool<T, 'kept'>, id: string) {
  for (let waited = 0; waited < claimLife; waited += retryAfter) {
    const claim = await spool.claim(id, 'sandbox', claimLife);
    if (claim) return claim;
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
  }
  throw new AppError('storage_unavailable', `The sandbox record ${id} stays locked.`);
}

/**
 * Rising ids that start from the time in seconds, so that ids of a folder that was emptied are not
 * given again. Two processes may draw the same one; creation tells them apart.
 */
async function createIds(operations: Spool<SandboxOperation, 'kept'>, clock: Clock) {
  let last = 0;
  for (const id of await operations.ids('kept')) last = Math.max(last, Number(id));
  return () => {
    last = Math.max(last + 1, Math.floor(clock.now() / 1000));
    return last;
  };
}

function sessionKey(tokenSN: string): string {
  return digest(tokenSN);
}

/** SHA-256 in hex. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
