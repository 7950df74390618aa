import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Names } from './names.js';
import { readSheet, type Sheet } from './sheet.js';

/** Open documents as they are read. */
export type Sheets = ReturnType<typeof createSheets>;

/** Reads open documents, each version once. */
export function createSheets() {
  const known = new Map<string, { version: number; sheet: Sheet; names: Names }>();
  return {
    of(document: TextDocument): Sheet {
      const { uri, version } = document;
      const before = known.get(uri);
      if (before?.version === version) return before.sheet;
      const sheet = readSheet(document.getText(), before?.names);
      known.set(uri, { version, sheet, names: sheet.names });
      return sheet;
    },
    forget: (uri: string) => known.delete(uri),
  };
}
