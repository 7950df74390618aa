import type { RecordPlan } from '../../../../storage/json/records/record-file.js';
import type { SandboxOperation } from '../operation.js';
import type { SignInProcess } from '../sign-in.js';

/** A session of the sandbox. Only a digest of its secret is stored. */
export interface SandboxSession {
  readonly tokenSN: string;
  readonly secretDigest: string;
  readonly phone: string;
  readonly organizationId: number;
  readonly createdAt: number;
  /** The time of the last use, accurate to the hour; absent until a use at least an hour after the creation. */
  readonly usedAt?: number;
}

/** The operation of an idempotency key. */
export interface KeyRecord {
  readonly operationId: number;
}

/** Returns the plan for records with a single state. Any object is valid. */
function kept<T extends object>(): RecordPlan<T, 'kept'> {
  return {
    states: { kept: 'flat' },
    placeOf: () => ({ state: 'kept' }),
    faultOf: () => undefined,
  };
}

/** The sandbox's records, each kind in its own folder below `<data>/sandbox`. */
export const sandboxPlans = {
  'sign-ins': kept<SignInProcess>(),
  sessions: kept<SandboxSession>(),
  operations: kept<SandboxOperation>(),
  'idempotency-keys': kept<KeyRecord>(),
} as const;
