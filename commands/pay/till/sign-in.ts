import { AppError } from '../../../src/base/errors.js';
import type { TillEvent } from '../../../src/terminal/till/till-types.js';
import { attemptsLeft, keepSession } from '../login.js';
import type { PayContext } from '../pay-context.js';
import { assertKeepable } from '../session-file.js';
import { tillFailure } from './till-failure.js';
import type { TillSession } from './till-session.js';

/** Has a code sent to the cashier's phone. */
export async function sendCode(pay: PayContext, phone: string): Promise<TillEvent> {
  const { signIn } = pay.gateway;
  try {
    // A code is good for one sign-in: where that cannot be kept, none is sent.
    await assertKeepable(pay.sessionFile);
    const processId = String((await signIn.start()).processId);
    const sent = await signIn.sendPhone(processId, phone);
    const said = typeof sent.desc === 'string' ? sent.desc.slice(0, 200) : '';
    return { on: 'code_sent', processId, said };
  } catch (error) {
    return notSignedIn(error);
  }
}

/** Ends a sign-in with its code; the session is kept as `pay login` keeps it, and used from now on. */
export async function checkCode(
  pay: PayContext,
  session: TillSession,
  { processId, code }: { readonly processId: string; readonly code: string },
): Promise<TillEvent> {
  try {
    const signedIn = await pay.gateway.signIn.verifyOtp(processId, code);
    session.use(await keepSession(pay, signedIn));
    return { on: 'signed_in', shop: signedIn.orgName, phone: signedIn.phone };
  } catch (error) {
    return notSignedIn(error);
  }
}

function notSignedIn(error: unknown): TillEvent {
  const mayRetry = error instanceof AppError && attemptsLeft(error) > 0;
  return { on: 'not_signed_in', failure: tillFailure(error), mayRetry };
}
