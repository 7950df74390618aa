import { shellWord } from '../src/terminal/shell-word.js';
import type { CommandInput } from './command.js';

/** Flags that say which data, provider and session a command works with, and thus its next one. */
const sharedFlags = ['data', 'database', 'provider', 'webhooks', 'session', 'gateway'] as const;
type SharedFlag = (typeof sharedFlags)[number];

/** Which of them commands take, by the words that they begin with. */
const taken: Readonly<Record<string, readonly SharedFlag[]>> = {
  'data check': ['data'],
  'data migrate': ['database'],
  data: ['data', 'database'],
  users: ['data', 'database'],
  'webhooks list': ['data', 'database'],
  webhooks: ['data', 'database', 'webhooks'],
  pay: sharedFlags,
};

/**
 * A command to go on with, as it can be pasted: `msgsite <path>`, `words` (each may hold anything), and the
 * flags of this call that it takes, too. The password of a database is not repeated.
 */
export function nextCommand(
  { options }: Pick<CommandInput, 'options'>,
  path: string,
  words: readonly string[] = [],
): string {
  const [group = ''] = path.split(' ');
  const flags = (taken[path] ?? taken[group] ?? []).flatMap((name) => {
    const value = options[name];
    return typeof value === 'string' ? flagWords(name, withoutPassword(name, value)) : [];
  });
  return [`msgsite ${path}`, ...[...words, ...flags].map(shellWord)].join(' ');
}

/** A flag and its value as words; a value that looks like a flag itself has to be tied to it. */
export function flagWords(name: string, value: string): string[] {
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

function withoutPassword(name: SharedFlag, value: string): string {
  if (name !== 'database' || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password !== '') url.password = 'PASSWORD';
  if (url.searchParams.has('password')) url.searchParams.set('password', 'PASSWORD');
  return url.href;
}

const mentioned = /(?<!same )msgsite ((?:pay|webhooks|data|users) [a-z]+(?:-[a-z]+)*)/g;

/** A sentence that names commands, each with the flags that it needs after this call. */
export function withFlags(text: string, input: Pick<CommandInput, 'options'>): string {
  return text.replace(mentioned, (_, path: string) => nextCommand(input, path));
}
