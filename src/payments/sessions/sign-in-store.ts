/** A sign-in whose code was sent and that is not finished, as the gateway remembers it. */
export interface PendingSignIn {
  /** Whom a code was sent to. */
  readonly phone: string;
  /** Codes that were given and were not right, those under way included. */
  readonly wrongCodes: number;
}

/** Milliseconds that a sign-in may take after its code was sent. */
export const signInLife = 600_000;
/** So many wrong codes close a sign-in. */
export const codesPerSignIn = 5;
/** More sign-ins under way are not remembered: the oldest one has to be started again. */
export const mostSignIns = 10_000;

/**
 * Sign-ins under way by the provider's process ids, shared by every process of one storage. A request
 * with a code names nothing but its process: this is what tells whose code is guessed.
 */
export interface SignInStore {
  /** What is known of a sign-in; undefined where no code was sent, and once it is over. */
  find(processId: string): Promise<PendingSignIn | undefined>;
  /** Remembers whom a code was sent to; codes that were wrong before stay counted. */
  setPhone(processId: string, phone: string): Promise<void>;
  /** Counts a code before it is judged, so that codes given at once count as well; false = no more. */
  takeCode(processId: string): Promise<boolean>;
  /** Takes a code off the count again: it was not judged. */
  giveCodeBack(processId: string): Promise<void>;
  /** Forgets a sign-in that is finished; harmless where there is none. */
  remove(processId: string): Promise<void>;
}
