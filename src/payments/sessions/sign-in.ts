import { randomUUID } from 'node:crypto';
import type { AuditLine, AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { maskPhone } from '../phone.js';
import { createInTurn } from '../providers/guard.js';
import {
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
} from '../providers/provider.js';
import { readSignedIn, readStarted, type SignedInFacts } from '../providers/provider-answer.js';
import type { SignInStore } from '../store.js';
import type { Sessions } from './sessions.js';

/** The session data that verify-otp returns. Its `vtokenSecret` is the provider's secret, encrypted. */
export interface SignedIn extends Omit<SignedInFacts, 'secret' | 'capabilities'> {
  readonly processId: string;
  readonly vtokenSecret: string;
}

/**
 * The three steps of a sign-in. A refused step throws `bad_request` with `success: false`. A code is checked only if
 * this process, or another one on the same storage, has sent it.
 */
export interface SignIn {
  /** Returns processId, view `EnterPhoneNumber` and body. */
  start(): Promise<ProviderAnswer>;
  /** Sends a code. Returns processId, desc (with the masked phone), view `EnterOtp` and body. */
  sendPhone(processId: string, phoneNumber: string): Promise<ProviderAnswer>;
  /** Finishes the sign-in with the correct code and stores the session. Five wrong codes close the sign-in. */
  verifyOtp(processId: string, otp: string): Promise<SignedIn>;
  /** Returns the phone that received the code of a sign-in; undefined if no code was sent. */
  phoneOf(processId: string): Promise<string | undefined>;
}

/**
 * Maximum number of concurrent sign-in steps at the provider. Prevents anonymous requests from blocking other calls.
 * @bound
 */
const concurrentSteps = 256;

export interface SignInOptions {
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  readonly store: SignInStore;
  readonly clock: Clock;
  /** Records sign-ins and wrong codes. */
  readonly audit: Pick<AuditLog, 'add'>;
  /** Called with the organization of each new session. */
  onSignedIn(organizationId: number): void;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { provider, sessions, store, clock, audit, onSignedIn } = options;
  const inTurn = createInTurn(concurrentSteps, clock);

  /** Calls the provider. The call's signal never aborts, because the provider's guard ends the call in time. */
  async function step<Result>(ask: (call: ProviderCall) => Promise<Result>): Promise<Result> {
    const { signal } = new AbortController();
    try {
      return await inTurn('', () => ask({ signal }));
    } catch (error) {
      throw error instanceof ProviderError ? signInFailure(error) : error;
    }
  }

  function note(phone: string, ids: AuditLine['ids'], outcome: 'success' | 'failed') {
    const fields = { kind: 'sign-in', who: maskPhone(phone), amount: null, ids, outcome } as const;
    return audit.add({ id: randomUUID(), time: clock.now(), ...fields });
  }

  /**
   * Checks a code at the provider. Counts the code as wrong before the call, and reverts the count unless it is wrong.
   */
  async function judge(processId: string, otp: string, phone: string): Promise<SignedInFacts> {
    if (!(await store.takeCode(processId))) throw refused('Too many wrong codes. Start again.');
    try {
      return await step(async (call) =>
        readSignedIn(await provider.verifyOtp({ processId, otp }, call)),
      );
    } catch (error) {
      if (isWrongCode(error)) await note(phone, {}, 'failed');
      else await store.giveCodeBack(processId);
      throw error;
    }
  }

  return {
    async start() {
      const answer = await step(async (call) => readStarted(await provider.startSignIn({}, call)));
      // A provider may reuse an ID, so the data of an earlier sign-in is removed.
      await store.remove(String(answer.processId));
      return answer;
    },
    async sendPhone(processId, phoneNumber) {
      const sent = step((call) => provider.sendPhone({ processId, phoneNumber }, call));
      const answer = await sent.catch(async (error: unknown) => {
        // The code may have been sent despite the failure.
        if (!isUnsent(error)) await store.setPhone(processId, phoneNumber);
        throw error;
      });
      await store.setPhone(processId, phoneNumber);
      return answer;
    },
    async verifyOtp(processId, otp) {
      const sentTo = await store.find(processId);
      if (!sentTo) {
        throw refused(
          'No code was sent for this sign-in, or the sign-in has finished or expired. Start again.',
        );
      }
      const { secret, capabilities, ...shown } = await judge(processId, otp, sentTo.phone);
      const kept = await sessions.add({ secret, capabilities, ...shown });
      const { id: session, vtokenSecret } = kept;
      const organization = String(shown.organizationId);
      await note(sentTo.phone, { organization, session }, 'success');
      await store.remove(processId);
      onSignedIn(shown.organizationId);
      return { processId, ...shown, vtokenSecret };
    },
    phoneOf: async (processId) => (await store.find(processId))?.phone,
  };
}

/** Returns whether a failed step means that the code was wrong, because the provider clearly refused it. */
export function isWrongCode(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  if (!(cause instanceof ProviderError)) return false;
  const { StatusCode } = cause.details as ProviderAnswer; // A ProviderError's details are an answer.
  return cause.kind === 'refused' || (cause.kind === 'failure' && typeof StatusCode === 'number');
}

/** Returns whether a failed step means that no code was sent. After a timeout, one may have been sent. */
export function isUnsent(error: unknown): boolean {
  if (error instanceof ProviderError) return error.kind !== 'timeout';
  return error instanceof AppError && error.code === 'bad_request';
}

function signInFailure(error: ProviderError): AppError {
  const { kind, message } = error;
  const fields = { success: false };
  const answer = error.details as ProviderAnswer; // A ProviderError's details are an answer.
  if (kind === 'refused' || kind === 'not_found') {
    return new AppError('bad_request', message, { details: answer, fields, cause: error });
  }
  // Before the sign-in, no session can have ended.
  const signInKind = kind === 'session_ended' ? 'failure' : kind;
  return new ProviderError(signInKind, message, { answer, fields, cause: error });
}

function refused(message: string): AppError {
  return new AppError('bad_request', message, { fields: { success: false } });
}
