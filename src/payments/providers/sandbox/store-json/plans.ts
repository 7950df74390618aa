import type { RecordPlan } from '../../../../storage/json/records/record-file.js';
import type { SandboxOperation } from '../operation.js';
import type { SignInProcess } from '../sign-in.js';

/** A session that the sandbox gave. The secret itself is not kept, only its digest. */
export interface SandboxSession {
  readonly tokenSN: string;
  readonly secretDigest: string;
  readonly phone: string;
  readonly organizationId: number;
  readonly createdAt: number;
  /** When it was last used, to the hour; absent where it was not used after its first hour. */
  readonly usedAt?: number;
}

/** Which operation an idempotency key made. */
export interface KeyRecord {
  readonly operationId: number;
}

/** Records that have no state but to be there. Their form is the sandbox's own; exports take any. */
function kept<T extends object>(): RecordPlan<T, 'kept'> {
  return {
    states: { kept: 'flat' },
    placeOf: () => ({ state: 'kept' }),
    faultOf: () => undefined,
  };
}

/** What the sandbox keeps, each in the folder of its name below `<data>/sandbox`. */
export const sandboxPlans = {
  'sign-ins': kept<SignInProcess>(),
  sessions: kept<SandboxSession>(),
  operations: kept<SandboxOperation>(),
  'idempotency-keys': kept<KeyRecord>(),
} as const;
