import { nearest } from '../../base/nearest.js';
import { quote } from './quote.js';

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : ` Did you mean ${quote(found)}?`;
}
