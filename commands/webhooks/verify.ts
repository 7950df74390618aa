import { AppError, exitCodes } from '../../src/base/errors.js';
import type { Output } from '../../src/terminal/output.js';
import {
  defaultTolerance,
  type Verification,
  verifyWebhook,
} from '../../src/webhooks/tools/verify.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { maxSizeOption, readMaxSize, readNumber } from '../flags.js';
import { readInput, requireKeys, secretFlags } from './secret-flags.js';

const toleranceFlag = {
  initial: defaultTolerance,
  from: 0,
  to: 999_999_999,
  allowed: 'a whole number of seconds',
};

export const command: Command = {
  description:
    'Check the signatures of a received webhook. The body must be exactly the received bytes. ' +
    'Exit code: 0 valid, 1 not valid.',
  options: [
    { flags: '--body <file>', description: 'the body (default -, standard input)' },
    { flags: '--header <line>', description: "a header, 'Name: value'", repeatable: true },
    {
      flags: '--headers <file>',
      description: 'file with header lines or a JSON object (- = stdin)',
    },
    { flags: '--signature <value>', description: 'the value of X-Webhook-Signature' },
    maxSizeOption,
    ...secretFlags,
    {
      flags: '--tolerance <seconds>',
      description: `maximum age of webhook-timestamp (default ${defaultTolerance}; 0 = any)`,
    },
  ],
  examples: [
    {
      command:
        'msgsite webhooks verify --body body.json --headers headers.txt --secret-file secret.txt',
      description: 'Check a webhook saved to files',
    },
  ],
  async run(context, input) {
    assertOneReader(input);
    const tolerance = readNumber(input, 'tolerance', toleranceFlag);
    const maxBytes = readMaxSize(input.options.maxSize);
    const headers = await readHeaders(context, input);
    if (!headers['x-webhook-signature'] && !headers['webhook-signature']) {
      throw new AppError('usage', 'The signature is missing.', {
        hint: "Use --signature, --headers FILE or --header 'X-Webhook-Signature: sha256=…'.",
      });
    }
    const keys = await requireKeys(context, input);
    const { body = '-' } = input.options;
    const bytes = await readInput(context, String(body), { flag: '--body', maxBytes });
    const now = context.clock.now();
    const verification = verifyWebhook({ body: bytes, headers }, { keys, now, tolerance });
    context.output.result(verification, () => describe(verification, context.output));
    return verification.valid ? exitCodes.done : exitCodes.failure;
  },
};

function assertOneReader({ options }: CommandInput): void {
  const { body = '-', headers, secretFile } = options;
  const readers = [body, headers, secretFile].filter((file) => file === '-');
  if (readers.length < 2) return;
  throw new AppError(
    'usage',
    'Only one of body, headers and secret can come from standard input.',
    {
      hint: 'Use files for the others: --body, --headers, --secret-file.',
    },
  );
}

async function readHeaders(context: CommandContext, { options }: CommandInput) {
  const { headers: file, header, signature } = options;
  const text =
    typeof file === 'string' ? String(await readInput(context, file, { flag: '--headers' })) : '';
  const lines = Array.isArray(header) ? header.join('\n') : '';
  const parsed = { '--headers': parseHeaders(text), '--header': parseHeaders(lines) };
  for (const [flag, result] of Object.entries(parsed)) {
    if (!result)
      throw new AppError('usage', `${flag} must contain lines in the format "Name: value".`);
  }
  const signatureHeader = typeof signature === 'string' ? { 'x-webhook-signature': signature } : {};
  return { ...parsed['--headers'], ...parsed['--header'], ...signatureHeader } as Record<
    string,
    string
  >;
}

function describe({ valid, checks }: Verification, { colors }: Output): string {
  const lines = checks.map(
    ({ check, ok, reason }) => `${ok ? colors.green('✓') : colors.red('✗')} ${check} ${reason}`,
  );
  return [...lines, valid ? colors.green('Valid.') : colors.red('Not valid.')].join('\n');
}

/**
 * Parses headers from a JSON object or from lines such as `Name: value`. A request line before the headers and a body
 * after an empty line are ignored. Returns the headers with names in lower case, or null if a line is invalid.
 */
function parseHeaders(text: string): Record<string, string> | null {
  return text.trimStart().startsWith('{') ? parseObject(text) : parseLines(text);
}

function parseObject(text: string): Record<string, string> | null {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  } catch {
    return null;
  }
}

function parseLines(text: string): Record<string, string> | null {
  const [head = ''] = text.trimStart().split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const fields = /^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(first.trim()) ? lines.slice(1) : lines;
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const line = field.trim();
    const [name] = /^[!#$%&'*+.^_`|~\w-]+(?=:)/.exec(line) ?? [];
    if (name === undefined) return null;
    headers[name.toLowerCase()] = line.slice(name.length + 1).trim();
  }
  return headers;
}
