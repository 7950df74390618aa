/** The kinds of audited acts on money and on people. */
export const auditKinds = [
  'sign-in',
  'qr',
  'invoice',
  'refund',
  'cancel',
  'replay',
  'adopt',
  'reset-code',
  'sign-out',
  'delete-account',
  'settings',
  'admin-user',
  'settled',
] as const;

export type AuditKind = (typeof auditKinds)[number];

/** The person for whom a request acts. */
export interface Actor {
  /** The name in the audit. */
  readonly name: string;
}

/** The person who runs a command on the server. */
export const operator: Actor = { name: 'operator' };

/** One act: who did what, with which outcome. */
export interface AuditLine {
  /** ID of the act; a line that is written again after a crash has the same one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: AuditKind;
  /**
   * A masked phone number, the name of an admin user, `admin` (`MSGSITE_ADMIN_TOKEN`, or an open admin page), `operator`
   * (a command) or `gateway` (an automatic act).
   */
  readonly who: string;
  /** Tenge; null if the act is not about money. */
  readonly amount: number | null;
  /** IDs of what the act was about, by kind: `payment`, `intent`, `organization`, `delivery`, … */
  readonly ids: Readonly<Record<string, string>>;
  /** `unknown`: in doubt; a later line of the kind `settled` has the outcome. */
  readonly outcome: 'success' | 'failed' | 'unknown';
}

/** An act that is about to begin and must be known after a crash. */
export interface PendingAct {
  readonly id: string;
  /** Data for the code that began the act. */
  readonly record: object;
}

/** An act that has begun and has not ended. */
export interface ActUnderWay extends PendingAct {
  /** `here`: this process; `elsewhere`: another process, alive as far as is known; `nobody`: a dead process. */
  readonly holder: 'here' | 'elsewhere' | 'nobody';
}

/** Stores acts. They are durable once a promise resolves; it rejects with `storage_unavailable` if that fails. */
export interface AuditLog {
  /** Stores a finished act. */
  add(line: AuditLine): Promise<void>;
  /** Stores an act that is about to begin. Throws `conflict` if a process has begun it and not ended it. */
  begin(act: PendingAct): Promise<void>;
  /** Stores the outcome of an act that this process has begun. */
  end(act: Pick<PendingAct, 'id'>, line: AuditLine): Promise<void>;
  /**
   * Returns every act that is under way in any process, in the same order for every process. If two processes have
   * begun acts under the same ID, both are returned.
   */
  pending(): Promise<readonly ActUnderWay[]>;
  /**
   * Calls `conclude` with every act that a dead process has begun and not ended, and ends the act with the line that it
   * returns. One process at a time handles an act; another one takes over if it fails or dies.
   */
  recover(conclude: (act: PendingAct) => Promise<AuditLine>): Promise<void>;
}
