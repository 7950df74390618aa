import { isPhone, maskPhone } from '../../phone.js';

/** The code that the sandbox "sends". */
const otpCode = '123456';
/** Wrong codes that close a sign-in. @bound */
const allowedTries = 5;
/** Milliseconds after which an unfinished sign-in is forgotten, at any speed of the sandbox. @bound */
export const signInLife = 600_000;

/** One sign-in on its way. Times are milliseconds since the epoch. */
export interface SignInProcess {
  readonly id: string;
  readonly createdAt: number;
  readonly phone?: string;
  readonly wrongCodes: number;
  readonly finished?: boolean;
}

/** Either the process moves on, or the step is refused (and the process may remember that). */
export type SignInStep =
  | { readonly ok: true; readonly process: SignInProcess; readonly message: string }
  | {
      readonly ok: false;
      readonly process?: SignInProcess;
      readonly message: string;
      readonly attemptsLeft?: number;
    };

/** The step `EnterPhoneNumber`: a valid number gets a code. */
export function enterPhone(process: SignInProcess | undefined, phone: string): SignInStep {
  const fault = faultOf(process);
  if (!process || fault) return { ok: false, message: fault ?? unknownProcess };
  if (process.phone) return { ok: false, message: 'A code was sent already; enter the code.' };
  if (!isPhone(phone)) return { ok: false, message: 'The phone number must be 7 and ten digits.' };
  const message = `A code was sent to ${maskPhone(phone)}.`;
  return { ok: true, process: { ...process, phone }, message };
}

/** The step `EnterOtp`: the right code finishes, five wrong ones close the process. */
export function enterCode(process: SignInProcess | undefined, otp: string): SignInStep {
  const fault = faultOf(process);
  if (!process || fault) return { ok: false, message: fault ?? unknownProcess };
  if (!process.phone) return { ok: false, message: 'Enter the phone number first.' };
  if (otp === otpCode) {
    return { ok: true, process: { ...process, finished: true }, message: 'Signed in.' };
  }
  const wrongCodes = process.wrongCodes + 1;
  const attemptsLeft = allowedTries - wrongCodes;
  const message =
    attemptsLeft > 0
      ? `The code is wrong; attempts left: ${attemptsLeft}.`
      : 'The code is wrong and no attempts are left; start again.';
  return { ok: false, process: { ...process, wrongCodes }, message, attemptsLeft };
}

const unknownProcess = 'This sign-in is not known, finished or out of time; start again.';

function faultOf(process: SignInProcess | undefined): string | undefined {
  if (!process) return unknownProcess;
  if (process.finished) return 'This sign-in is finished already; start again.';
  if (process.wrongCodes >= allowedTries) return 'Too many wrong codes; start again.';
  return undefined;
}
