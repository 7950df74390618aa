// Puts failures into words, in the user's language. No page needed.

import type { ApiError, Detail } from './api.ts';
import type { Words } from './words/en.ts';

/** Codes that have the same text as another one. */
const same: Readonly<Record<string, string>> = {
  invalid_json: 'bad_request',
  data_damaged: 'internal_error',
  method_not_allowed: 'bad_request',
  misdirected: 'bad_request',
  request_timeout: 'timeout',
  unsupported_media_type: 'bad_request',
};

/** Returns the text for a failed call; for an unknown code, the service's own sentence. */
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

/** Returns the errors that the service found, in this language if possible. */
export function translateDetails(details: readonly Detail[], words: Words): Detail[] {
  return details.map(({ path, message }) => ({ path, message: faultText(message, words) }));
}

/** Returns an error message in this language; an unknown one stays as the service wrote it. */
export function faultText(message: string, { faults, csv }: Words): string {
  const patterns: readonly [RegExp, (found: string) => string][] = [
    [/^is required$|^must not be empty/, () => faults.required],
    [/^must have at most (\d+) characters$/, (most) => faults.maxCharacters(Number(most))],
    [/^must be (-?\d+) or more$/, faults.atLeast],
    [/^must be (-?\d+) or less$/, faults.atMost],
    [/^must be a (whole )?number/, () => faults.number],
    [/^must be an http or https address, or a path/, () => faults.image],
    [/^must be an http or https address/, () => faults.web],
    [/^must be a phone number/, () => faults.phone],
    [/^is not the ID of/, () => csv.unknownId],
    [/^must be the ID of/, () => csv.wrongId],
    [/^is already on line (\d+)$/, csv.repeatedId],
  ];
  for (const [pattern, text] of patterns) {
    const found = pattern.exec(message);
    if (found) return text(found[1] ?? '');
  }
  return message;
}
