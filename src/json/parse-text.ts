import { type ParseError, parse } from 'jsonc-parser';
import { damaged } from '../base/files/storage-errors.js';

/** Parses a JSON file's text; a fault is `data_damaged` naming file, line and column. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const [line, column] = lineAndColumn(text, faultOffset(text));
    throw damaged(path, `line ${line}, column ${column}`, 'this is not valid JSON', cause);
  }
}

/** JSON.parse names the place in some faults only, and in words that change between versions. */
function faultOffset(text: string): number {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  return errors[0]?.offset ?? text.length;
}

function lineAndColumn(text: string, offset: number): readonly [number, number] {
  const before = text.slice(0, offset);
  return [before.split('\n').length, offset - before.lastIndexOf('\n')];
}
