import { damaged } from '../base/files/storage-errors.js';
import { createLineIndex } from './lines.js';
import { findSyntaxFault } from './syntax-fault.js';

/** Parses a JSON file's text; a fault is `data_damaged` naming file, line and column. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = createLineIndex(text).position(findSyntaxFault(text, String(cause)));
    throw damaged(path, `line ${line}, column ${column}`, 'this is not valid JSON', cause);
  }
}
