import { isKazakhPhone } from '../../../base/phones.js';
import { maskPhone } from '../../phone.js';

/** The code of every sign-in. */
const otpCode = '123456';
/** Maximum number of wrong codes per sign-in. @bound */
const maxWrongCodes = 5;
/** Time after which an unfinished sign-in expires, in milliseconds, regardless of the sandbox's speed. @bound */
export const signInLife = 600_000;

/** A sign-in in progress. Times are milliseconds since the epoch. */
export interface SignInProcess {
  readonly id: string;
  readonly createdAt: number;
  readonly phone?: string;
  readonly wrongCodes: number;
  readonly finished?: boolean;
}

/** The result of a step. A refused step may also change the process. */
export type SignInStep =
  | { readonly ok: true; readonly process: SignInProcess; readonly message: string }
  | {
      readonly ok: false;
      readonly process?: SignInProcess;
      readonly message: string;
      readonly attemptsLeft?: number;
    };

/** Performs the step `EnterPhoneNumber`, which sends a code to a valid number. */
export function enterPhone(process: SignInProcess | undefined, phone: string): SignInStep {
  const fault = faultOf(process);
  if (!process || fault) return { ok: false, message: fault ?? unknownProcess };
  if (process.phone) return { ok: false, message: 'A code has already been sent. Enter the code.' };
  if (!isKazakhPhone(phone))
    return { ok: false, message: 'The phone number must be 7 followed by ten digits.' };
  const message = `A code was sent to ${maskPhone(phone)}.`;
  return { ok: true, process: { ...process, phone }, message };
}

/** Performs the step `EnterOtp`. The correct code finishes the process, and five wrong codes close it. */
export function enterCode(process: SignInProcess | undefined, otp: string): SignInStep {
  const fault = faultOf(process);
  if (!process || fault) return { ok: false, message: fault ?? unknownProcess };
  if (!process.phone) return { ok: false, message: 'Enter the phone number first.' };
  if (otp === otpCode) {
    return { ok: true, process: { ...process, finished: true }, message: 'Signed in.' };
  }
  const wrongCodes = process.wrongCodes + 1;
  const attemptsLeft = maxWrongCodes - wrongCodes;
  const message =
    attemptsLeft > 0
      ? `The code is wrong. Attempts left: ${attemptsLeft}.`
      : 'The code is wrong and no attempts are left. Start again.';
  return { ok: false, process: { ...process, wrongCodes }, message, attemptsLeft };
}

const unknownProcess = 'This sign-in is unknown, finished or expired. Start again.';

function faultOf(process: SignInProcess | undefined): string | undefined {
  if (!process) return unknownProcess;
  if (process.finished) return 'This sign-in is already finished. Start again.';
  if (process.wrongCodes >= maxWrongCodes) return 'Too many wrong codes. Start again.';
  return undefined;
}
