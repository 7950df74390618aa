import type { Readable } from 'node:stream';
import { AppError } from '../../src/base/errors.js';
import { readInputStream, UnreadableInput, unreadable } from '../../src/base/files/input-file.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import type { SignedIn } from '../../src/payments/sessions/sign-in.js';
import { ask } from '../../src/terminal/ask.js';
import { formatPhone } from '../../src/terminal/formats.js';
import type { Terminal } from '../../src/terminal/question.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command } from '../command.js';
import { questioner, readText } from '../flags.js';
import { flagWords, nextCommand } from '../next-command.js';
import { phoneSource, plainOption } from './flags.js';
import { type PayContext, payOptions, withPay } from './pay-context.js';
import { assertStorable, type KeptSession, saveSession } from './session-file.js';

export const command: Command = {
  description:
    'Sign in as a cashier with an SMS code. On a terminal, the command asks for the phone and the code. In a script, --phone sends the code and prints the process ID, and --process with --otp finishes the sign-in.',
  options: [
    { flags: '--phone <number>', description: 'the cashier’s phone, such as 87011234567' },
    { flags: '--otp <code>', description: 'the code from the SMS; - reads it from stdin' },
    { flags: '--process <id>', description: 'continue a sign-in after its code was sent' },
    plainOption,
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay login', description: 'Sign in at a terminal' },
    {
      command: 'msgsite pay login --phone 87011234567 --json',
      description: 'Send the code from a script and print the process ID',
    },
  ],
  async run(context, input) {
    const process = readText(input, 'process');
    const otp = await readOtp(context.stdin, readText(input, 'otp'));
    const terminal = questioner(context);
    if (process !== undefined) {
      if (otp === undefined && !terminal) throw new AppError('usage', '--otp is missing.');
      return withPay(context, input, (pay) => finish(pay, process, { otp, terminal }));
    }
    if (otp !== undefined && readText(input, 'phone') === undefined && !terminal) {
      throw new AppError('usage', '--otp requires --process or --phone.');
    }
    const phone = await phoneSource(context, input, 'Cashier’s phone:')();
    return withPay(context, input, (pay) => signIn(pay, phone, { otp, terminal }));
  },
};

interface Code {
  readonly otp: string | undefined;
  readonly terminal: Terminal | undefined;
}

async function signIn(pay: PayContext, phone: string, code: Code): Promise<number> {
  const { output } = pay.context;
  const { processId, sent } = await withSpinner(pay.context, 'Sending a code', () =>
    sendCode(pay, phone),
  );
  const desc = String(sent.desc ?? `A code was sent to ${formatPhone(phone)}.`);
  output.note(escapeForeign(desc));
  if (code.otp !== undefined || code.terminal) return finish(pay, processId, code);
  const words = [...flagWords('process', processId), '--otp', 'CODE'];
  const next = nextCommand(pay.input, 'pay login', words);
  output.result({ processId, view: sent.view, desc, next }, () =>
    [`Process  ${escapeForeign(processId)}`, `Next     ${next}`].join('\n'),
  );
  return 0;
}

/** Starts a sign-in and sends a code to the cashier's phone. */
export async function sendCode({ gateway: { signIn }, sessionFile }: PayContext, phone: string) {
  // A code is valid for one sign-in, so it is not sent if the session cannot be stored.
  await assertStorable(sessionFile);
  const processId = String((await signIn.start()).processId);
  return { processId, sent: await signIn.sendPhone(processId, phone) };
}

async function finish(pay: PayContext, process: string, { otp, terminal }: Code): Promise<number> {
  const { context, sessionFile: file } = pay;
  const { origin } = pay.gateway;
  const signedIn =
    otp === undefined && terminal
      ? await askForCode(pay, process, terminal)
      : await verify(pay, process, otp ?? '');
  await keepSession(pay, signedIn);
  const { orgName, phone, organizationId, profileId } = signedIn;
  const facts = { orgName, phone, organizationId, profileId, sessionFile: file };
  context.output.result({ step: signedIn.step, message: signedIn.message, ...facts }, () => {
    const state = context.output.colors.green('✓ Signed in');
    const where = origin === undefined ? '' : `\nGateway  ${origin}`;
    return `${state}${where}\nShop     ${escapeForeign(orgName)}\nCashier  ${formatPhone(phone)}`;
  });
  warnAboutEnvironment(pay);
  return 0;
}

/** Stores the session of a sign-in in the session file and returns it. */
export async function keepSession(
  { context, gateway: { origin }, sessionFile }: PayContext,
  signedIn: SignedIn,
): Promise<KeptSession> {
  const { tokenSN, vtokenSecret, profileId, organizationId, orgName, phone } = signedIn;
  const session = { tokenSN, vtokenSecret, profileId, organizationId, orgName, phone };
  await saveSession(context, sessionFile, { ...session, ...(origin ? { gateway: origin } : {}) });
  return session;
}

function verify({ context, gateway }: PayContext, process: string, otp: string): Promise<SignedIn> {
  return withSpinner(context, 'Checking the code', () => gateway.signIn.verifyOtp(process, otp));
}

/** Prompts for the code, and again after each wrong code while attempts are left. */
async function askForCode(pay: PayContext, process: string, terminal: Terminal): Promise<SignedIn> {
  let fault: string | undefined;
  for (;;) {
    const otp = await ask(terminal, { label: 'Code from the SMS:', mask: '•', fault, check });
    try {
      return await verify(pay, process, otp);
    } catch (error) {
      if (!(error instanceof AppError) || !(attemptsLeft(error) > 0)) throw error;
      fault = error.message;
    }
  }
}

function check(code: string): string | undefined {
  return code === '' ? 'Enter the code that was sent.' : undefined;
}

/** Returns the number of attempts left according to the provider's error; 0 if the error does not contain it. */
export function attemptsLeft({ details = {} }: AppError): number {
  const left = 'attemptsLeft' in details ? details.attemptsLeft : undefined;
  return typeof left === 'number' ? left : 0;
}

/** Maximum size of a code on stdin, in bytes. */
const maxCodeBytes = 1_000;

async function readOtp(stdin: Readable, otp: string | undefined) {
  if (otp !== '-') return otp;
  const bytes = await readInputStream(stdin, maxCodeBytes).catch((error: unknown) => {
    throw error instanceof UnreadableInput ? unreadable('The code on stdin', error) : error;
  });
  const code = bytes.toString('utf8').trim();
  if (code === '') throw new AppError('usage', 'stdin contains no code for --otp -.');
  return code;
}

function warnAboutEnvironment({ context: { env, output }, input }: PayContext): void {
  if (input.options.session !== undefined || !env.MSGSITE_TOKEN_SN) return;
  output.warn('MSGSITE_TOKEN_SN is set and overrides the session that was just stored.');
}
