/** What is written down of acts on money and on people. */
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
  'settled',
] as const;

export type AuditKind = (typeof auditKinds)[number];

/** One act: who did what, and what came of it. */
export interface AuditLine {
  /** Names the act: a line that is written again after a crash is still the same one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: AuditKind;
  /** A masked phone number, `admin`, `operator` (a command) or `gateway` (the program by itself). */
  readonly who: string;
  /** Tenge; null where the act is about no money. */
  readonly amount: number | null;
  /** What the act was about, by kind of name: `payment`, `intent`, `organization`, `delivery`, … */
  readonly ids: Readonly<Record<string, string>>;
  /** `unknown`: in doubt; a line of the kind `settled` tells later what it came to. */
  readonly outcome: 'success' | 'failed' | 'unknown';
}

/** Something that is about to be done and must be known of after a crash. */
export interface PendingAct {
  readonly id: string;
  /** What the one who began it needs to know of it. */
  readonly record: object;
}

/** An act that has begun and has not ended. */
export interface ActUnderWay extends PendingAct {
  /** `here`: this process; `elsewhere`: another process that is alive as far as is known; `nobody`: a dead process. */
  readonly holder: 'here' | 'elsewhere' | 'nobody';
}

/** Where acts are written down. Whatever resolves is on disk; `storage_unavailable` where that fails. */
export interface AuditLog {
  /** Writes down an act that is over. */
  add(line: AuditLine): Promise<void>;
  /** Remembers an act that is about to begin; `conflict` where a process has begun it and not ended it. */
  begin(act: PendingAct): Promise<void>;
  /** Writes down what came of an act that was begun here. */
  end(act: Pick<PendingAct, 'id'>, line: AuditLine): Promise<void>;
  /**
   * Returns every act that is under way in any process, in the same order for every process. If two processes have
   * begun acts under the same ID, both are returned.
   */
  pending(): Promise<readonly ActUnderWay[]>;
  /**
   * Gives every act that a process which has died had begun and not ended to `conclude`, whose line ends
   * it. Each is given to one process at a time, and again where that one fails or dies.
   */
  recover(conclude: (act: PendingAct) => Promise<AuditLine>): Promise<void>;
}
