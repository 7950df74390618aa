import type { Readable } from 'node:stream';
import { AppError } from '../../src/base/errors.js';
import { readInputStream, UnreadableInput, unreadable } from '../../src/base/files/input-file.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import type { SignedIn } from '../../src/payments/sessions/sign-in.js';
import type { Terminal } from '../../src/terminal/ask.js';
import { formatPhone } from '../../src/terminal/phone.js';
import type { Command } from '../command.js';
import { flagWords, nextCommand } from '../next-command.js';
import { flagText, questioner, requirePhone } from './flags.js';
import { assertKeepable, saveSession, sessionFileOf } from './session-file.js';
import { asking, type Till, tillOptions, withTill } from './till.js';

export const command: Command = {
  description:
    'Sign in as a cashier with an SMS code. On a terminal the phone and the code are asked for; without one, --phone sends the code and prints the process id, and --process with --otp finishes.',
  options: [
    { flags: '--phone <number>', description: 'the cashier’s phone, such as 87011234567' },
    { flags: '--otp <code>', description: 'the code from the SMS; - reads it from stdin' },
    { flags: '--process <id>', description: 'go on with a sign-in whose code has been sent' },
    ...tillOptions,
  ],
  examples: [
    { command: 'msgsite pay login', description: 'Sign in at a terminal' },
    {
      command: 'msgsite pay login --phone 87011234567 --json',
      description: 'From a script: have the code sent, and print the process id',
    },
  ],
  async run(context, input) {
    const process = flagText(input, 'process');
    const otp = await readOtp(context.stdin, flagText(input, 'otp'));
    const terminal = questioner(context);
    if (process !== undefined) {
      if (otp === undefined && !terminal) throw new AppError('usage', '--otp is missing.');
      return withTill(context, input, (till) => finish(till, process, { otp, terminal }));
    }
    if (otp !== undefined && flagText(input, 'phone') === undefined && !terminal) {
      throw new AppError('usage', '--otp needs --process (or --phone).');
    }
    const phone = await requirePhone(context, input, 'Cashier’s phone:');
    return withTill(context, input, (till) => signIn(till, phone, { otp, terminal }));
  },
};

interface Code {
  readonly otp: string | undefined;
  readonly terminal: Terminal | undefined;
}

async function signIn(till: Till, phone: string, code: Code): Promise<number> {
  const { signIn } = till.payments;
  const { output } = till.context;
  // A code is good for one sign-in: where that cannot be kept, none is sent.
  await assertKeepable(sessionFileOf(till.context, till.input));
  const { processId, sent } = await asking(till, 'Having a code sent', async () => {
    const processId = String((await signIn.start()).processId);
    return { processId, sent: await signIn.sendPhone(processId, phone) };
  });
  const desc = String(sent.desc ?? `A code was sent to ${formatPhone(phone)}.`);
  if (code.otp !== undefined || code.terminal) {
    output.note(escapeForeign(desc));
    return finish(till, processId, code);
  }
  const words = [...flagWords('process', processId), '--otp', 'CODE'];
  const next = nextCommand(till.input, 'pay login', words);
  output.note(escapeForeign(desc));
  output.result({ processId, view: sent.view, desc, next }, () =>
    [`Process  ${escapeForeign(processId)}`, `Next     ${next}`].join('\n'),
  );
  return 0;
}

async function finish(till: Till, process: string, { otp, terminal }: Code): Promise<number> {
  const { context, input } = till;
  const signedIn =
    otp === undefined && terminal
      ? await askForCode(till, process, terminal)
      : await verify(till, process, otp ?? '');
  const file = sessionFileOf(context, input);
  const { tokenSN, vtokenSecret, profileId, organizationId, orgName, phone } = signedIn;
  const session = { tokenSN, vtokenSecret, profileId, organizationId, orgName, phone };
  await saveSession(context, file, session);
  const who = { orgName, phone, organizationId, profileId, sessionFile: file };
  context.output.result({ step: signedIn.step, message: signedIn.message, ...who }, () => {
    const state = context.output.colors.green('✓ Signed in');
    return `${state}\nShop     ${escapeForeign(orgName)}\nCashier  ${formatPhone(phone)}`;
  });
  warnAboutEnvironment(till);
  return 0;
}

function verify({ payments, ...till }: Till, process: string, otp: string): Promise<SignedIn> {
  return asking({ payments, ...till }, 'Checking the code', () =>
    payments.signIn.verifyOtp(process, otp),
  );
}

/** Asks again after a wrong code, as long as the provider leaves attempts. */
async function askForCode(till: Till, process: string, terminal: Terminal): Promise<SignedIn> {
  const { ask } = await import('../../src/terminal/ask.js');
  let fault: string | undefined;
  for (;;) {
    const otp = await ask(terminal, { label: 'Code from the SMS:', mask: '•', fault, check });
    try {
      return await verify(till, process, otp);
    } catch (error) {
      if (!(error instanceof AppError) || !(attemptsLeft(error) > 0)) throw error;
      fault = error.message;
    }
  }
}

function check(code: string): string | undefined {
  return code === '' ? 'Type the code that was sent.' : undefined;
}

/** How many more codes the provider takes, where its refusal says so. */
function attemptsLeft({ details }: AppError): number {
  if (details === undefined || Array.isArray(details)) return 0;
  const { attemptsLeft: left } = details as Readonly<Record<string, unknown>>;
  return typeof left === 'number' ? left : 0;
}

/** Bytes of a code on stdin, a line break included; codes are a few digits. */
const mostCodeBytes = 1_000;

async function readOtp(stdin: Readable, given: string | undefined) {
  if (given !== '-') return given;
  const bytes = await readInputStream(stdin, mostCodeBytes).catch((error: unknown) => {
    throw error instanceof UnreadableInput ? unreadable('The code on stdin', error) : error;
  });
  const code = bytes.toString('utf8').trim();
  if (code === '') throw new AppError('usage', '--otp - found no code on stdin.');
  return code;
}

function warnAboutEnvironment({ context: { env, output }, input }: Till): void {
  if (input.options.session !== undefined || !env.MSGSITE_TOKEN_SN) return;
  output.warn('MSGSITE_TOKEN_SN is set and goes before the session that was just kept.');
}
