/** The kinds of audited actions on money and people. */
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
  'order',
  'checkout',
  'settled',
] as const;

export type AuditKind = (typeof auditKinds)[number];

/** The person for whom a request acts. */
export interface Actor {
  /** The name in the audit log. */
  readonly name: string;
}

/** The person who runs a command on the server. */
export const operator: Actor = { name: 'operator' };

/** An entry of the audit log: who did what, and with which outcome. */
export interface AuditLine {
  /** ID of the action. An entry that is written again after a crash has the same ID. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: AuditKind;
  /**
   * A masked phone number, the name of an admin user, `admin` (`MSGSITE_ADMIN_TOKEN`, or an open admin page),
   * `operator` (a command) or `gateway` (an automatic action).
   */
  readonly who: string;
  /** In tenge; null if no money is involved. */
  readonly amount: number | null;
  /** IDs of the affected records, by kind: `payment`, `intent`, `organization`, `delivery`, … */
  readonly ids: Readonly<Record<string, string>>;
  /** `unknown` means in doubt. A later entry of the kind `settled` contains the outcome. */
  readonly outcome: 'success' | 'failed' | 'unknown';
}

/** An action that is about to start and must be on record after a crash. */
export interface PendingAct {
  readonly id: string;
  /** Data for the code that started the action. */
  readonly record: object;
}

/** An action that has started but not ended. */
export interface ActUnderWay extends PendingAct {
  /** `here` is this process, `elsewhere` another process that is presumably alive, and `nobody` a dead process. */
  readonly holder: 'here' | 'elsewhere' | 'nobody';
}

/** Stores actions. They are durable once a promise resolves; it rejects with `storage_unavailable` if that fails. */
export interface AuditLog {
  /** Stores a finished action. */
  add(line: AuditLine): Promise<void>;
  /** Stores an action that is about to start. Throws `conflict` if a process has started it but not ended it. */
  begin(act: PendingAct): Promise<void>;
  /** Stores the outcome of an action that this process has started. */
  end(act: Pick<PendingAct, 'id'>, line: AuditLine): Promise<void>;
  /**
   * Returns the pending actions of all processes, in the same order in every process. If two processes have started
   * actions with the same ID, both are returned.
   */
  pending(): Promise<readonly ActUnderWay[]>;
  /**
   * Calls `conclude` with every action that a dead process has started but not ended, and ends the action with the
   * entry that `conclude` returns. One process at a time handles an action. If it fails or dies, another one takes
   * over.
   */
  recover(conclude: (act: PendingAct) => Promise<AuditLine>): Promise<void>;
}
