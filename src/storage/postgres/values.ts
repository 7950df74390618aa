import { parseExact } from '../../json/exact-json.js';
import { fromStorable } from './storable-text.js';

type Parse = (text: string) => unknown;

/**
 * How values of PostgreSQL's types are read, by the type's number: 64-bit integers are numbers (IDs stay far below 2^53),
 * times are ISO 8601 in UTC with milliseconds, bytes are hex digits, and integers in JSON keep every digit.
 */
const parsers = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [17, (text) => text.slice(2)],
  [20, Number],
  [21, Number],
  [23, Number],
  [25, fromStorable],
  [26, Number],
  [114, parseExact],
  [700, Number],
  [701, Number],
  [1184, (text) => new Date(text).toISOString()],
]);

/** The parsers of a client; values of all other types stay texts. */
export const valueParsers = {
  getTypeParser: (type: number): Parse => parsers.get(type) ?? String,
};
