import { AppError } from '../errors.js';
import { type PaymentProvider, type ProviderAnswer, ProviderError } from './provider.js';
import { readSignedIn, readStarted, type SignedInFacts } from './provider-answer.js';
import type { Sessions } from './sessions.js';

/** Session data as verify-otp gives it. `vtokenSecret` is sealed; the provider's secret stays inside. */
export interface SignedIn extends Omit<SignedInFacts, 'secret'> {
  readonly processId: string;
  readonly vtokenSecret: string;
}

/** The three steps of a sign-in. A refused step is a `bad_request` with `success: false`. */
export interface SignIn {
  /** Answer: processId, view `EnterPhoneNumber`, body. */
  start(): Promise<ProviderAnswer>;
  /** Has a code sent. Answer: processId, desc (names the masked phone), view `EnterOtp`, body. */
  sendPhone(processId: string, phoneNumber: string): Promise<ProviderAnswer>;
  /** Ends the sign-in with the right code and keeps the session. */
  verifyOtp(processId: string, otp: string): Promise<SignedIn>;
}

export interface SignInOptions {
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  /** Told of every new session. */
  onSignedIn(organizationId: number): void;
}

export function createSignIn({ provider, sessions, onSignedIn }: SignInOptions): SignIn {
  return {
    start: () => step(async (call) => readStarted(await provider.startSignIn({}, call))),
    sendPhone: (processId, phoneNumber) =>
      step((call) => provider.sendPhone({ processId, phoneNumber }, call)),
    async verifyOtp(processId, otp) {
      const facts = await step(async (call) =>
        readSignedIn(await provider.verifyOtp({ processId, otp }, call)),
      );
      const { secret, ...shown } = facts;
      const { vtokenSecret } = await sessions.add(facts);
      onSignedIn(facts.organizationId);
      return { processId, ...shown, vtokenSecret };
    },
  };
}

async function step<Result>(
  ask: (call: { readonly signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  try {
    // Nobody else waits for it; the guard around the provider ends it in time.
    return await ask({ signal: new AbortController().signal });
  } catch (error) {
    throw error instanceof ProviderError ? signInFailure(error) : error;
  }
}

function signInFailure(error: ProviderError): AppError {
  const { kind, message } = error;
  const fields = { success: false };
  const answer = error.details as ProviderAnswer; // A ProviderError's details are an answer.
  if (kind === 'refused' || kind === 'not_found') {
    return new AppError('bad_request', message, { details: answer, fields, cause: error });
  }
  return new ProviderError(kind, message, { answer, fields, cause: error });
}
