// Describes what is wrong with a picture. No page needed.

import { formatNumber } from '../shared/format.ts';
import type { ApiError } from './api.ts';
import { explain } from './errors.ts';
import type { Words } from './words/en.ts';

export interface PictureRules {
  available: boolean;
  mostBytes: number;
  types: readonly string[];
}

/**
 * Returns what is wrong with a file before it is sent; undefined if nothing is known. The service checks the content.
 */
export function fileFault(
  { type, size }: { type: string; size: number },
  { mostBytes, types }: PictureRules,
  words: Words,
) {
  const { picture } = words;
  if (type !== '' && !types.includes(type)) return picture.wrongType;
  if (size === 0) return picture.empty;
  if (size <= mostBytes) return undefined;
  const megabytes = (bytes: number) => formatNumber(Math.ceil(bytes / 1024 / 1024), words);
  return picture.tooLarge(megabytes(size), megabytes(mostBytes));
}

/** Returns the text for the service's refusal of a file. */
export function refusal(error: ApiError, words: Words) {
  if (error.status === 415) return words.picture.wrongContent;
  if (error.status === 413) return words.picture.refusedSize;
  if (error.code === 'bad_request') return words.picture.damaged;
  return explain(error, words);
}
