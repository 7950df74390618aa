// What went wrong, in the person's language. No page needed.

import type { ApiError, Detail } from './api.ts';
import type { Words } from './words/en.ts';

/** Codes that mean to a person what another one does. */
const same: Readonly<Record<string, string>> = {
  invalid_json: 'bad_request',
  data_damaged: 'internal_error',
  method_not_allowed: 'bad_request',
  misdirected: 'bad_request',
  request_timeout: 'timeout',
  unsupported_media_type: 'bad_request',
};

/** Returns what to say about a failed call; for a code without words of its own, the service's sentence. */
export function explain(
  { code = '', status, method, seconds, message }: Partial<ApiError>,
  { errors, tooMany, badAnswer }: Words,
): string {
  if (status === 429) return tooMany(seconds ?? 60);
  if (status === 503 && code !== 'images_unavailable') {
    return method === 'GET' ? errors.cannotRead : errors.cannotStore;
  }
  const texts: Readonly<Record<string, string>> = errors;
  return texts[same[code] ?? code] ?? (message || badAnswer(status ?? 0));
}

/** Returns the faults that the service found, with words of this language where it has them. */
export function translateDetails(details: readonly Detail[], words: Words): Detail[] {
  return details.map(({ path, message }) => ({ path, message: faultText(message, words) }));
}

/** Returns what is wrong with a value; a sentence that the page does not know stays as the service wrote it. */
export function faultText(message: string, { faults, csv }: Words): string {
  const patterns: readonly [RegExp, (found: string) => string][] = [
    [/^is required$|^must not be empty/, () => faults.required],
    [/^must have at most (\d+) characters$/, (most) => faults.mostCharacters(Number(most))],
    [/^must be (-?\d+) or more$/, faults.atLeast],
    [/^must be (-?\d+) or less$/, faults.atMost],
    [/^must be a (whole )?number/, () => faults.number],
    [/^must be an http or https address, or a path/, () => faults.image],
    [/^must be an http or https address/, () => faults.web],
    [/^must be a phone number/, () => faults.phone],
    [/^is the id of no product$/, () => csv.unknownId],
    [/^must be the id of a product/, () => csv.wrongId],
    [/^is in line (\d+) already$/, csv.repeatedId],
  ];
  for (const [pattern, text] of patterns) {
    const found = pattern.exec(message);
    if (found) return text(found[1] ?? '');
  }
  return message;
}
