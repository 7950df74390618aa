import { shellWord } from '../src/terminal/shell-word.js';
import type { CommandInput } from './command.js';
import { settingsOf } from './taken-settings.js';

/**
 * Returns a command for the user to run next: `msgsite <path>`, the quoted `words`, and the flags of this call that the
 * command accepts. Omits the database password.
 */
export function nextCommand(
  { options }: Pick<CommandInput, 'options'>,
  path: string,
  words: readonly string[] = [],
): string {
  const names = [...settingsOf(path), ...(path.startsWith('pay ') ? ['session'] : [])];
  const flags = names.flatMap((name) => {
    const value = options[name];
    return typeof value === 'string' ? flagWords(name, withoutPassword(name, value)) : [];
  });
  return [`msgsite ${path}`, ...[...words, ...flags].map(shellWord)].join(' ');
}

/** Returns a flag and its value as words, or as one word if the value looks like a flag. */
export function flagWords(name: string, value: string): string[] {
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

function withoutPassword(name: string, value: string): string {
  if (name !== 'database' || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password !== '') url.password = 'PASSWORD';
  if (url.searchParams.has('password')) url.searchParams.set('password', 'PASSWORD');
  return url.href;
}

const mentioned = /(?<!same )msgsite ((?:pay|webhooks|data|users) [a-z]+(?:-[a-z]+)*)/g;

/** Adds the flags of this call to the commands that a text mentions. */
export function withFlags(text: string, input: Pick<CommandInput, 'options'>): string {
  return text.replace(mentioned, (_, path: string) => nextCommand(input, path));
}
