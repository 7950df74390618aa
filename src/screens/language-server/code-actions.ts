import {
  type CodeAction,
  CodeActionKind,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { escapeForeign } from '../../base/foreign-text.js';
import { type TextEdit, textEdits } from '../check/text-edits.js';
import type { FileReport, Fix } from '../findings/finding.js';
import { fixAllKind } from './capabilities.js';
import { diagnosticsOf, rangeOf } from './diagnostics.js';

/** Maximum number of actions that are offered at a time. */
const maxActions = 50;

/** Creates a workspace edit from text edits of one document. */
export type EditMaker = (edits: readonly TextEdit[]) => WorkspaceEdit;

/**
 * Returns a function that creates edits of this version of a document. Clients that support versions reject outdated
 * edits.
 */
export function editMaker(
  document: TextDocument,
  { editsVersions }: { readonly editsVersions: boolean },
): EditMaker {
  const { uri, version } = document;
  return (edits) => {
    const changes = edits.map(({ offset, length, replacement }) => ({
      range: rangeOf(document, { offset, length }),
      newText: replacement,
    }));
    return editsVersions
      ? { documentChanges: [{ textDocument: { uri, version }, edits: changes }] }
      : { changes: { [uri]: changes } };
  };
}

/** Returns actions for the findings in a range: fixes first, then suggestions. */
export function quickFixes(
  document: TextDocument,
  report: FileReport,
  range: Range,
  makeEdit: EditMaker,
): CodeAction[] {
  const text = document.getText();
  const diagnostics = diagnosticsOf(document, report);
  const touched = report.findings.flatMap((finding, index) => {
    const diagnostic = diagnostics[index];
    return diagnostic && touches(diagnostic.range, range) ? [{ finding, diagnostic }] : [];
  });
  const offer = (fix: Fix, isPreferred: boolean) => {
    const edits = textEdits(text, fix.edits);
    if (edits === undefined) return [];
    const title = escapeForeign(fix.title);
    return [{ title, kind: CodeActionKind.QuickFix, isPreferred, edit: makeEdit(edits) }];
  };
  const actions = touched.flatMap(({ finding: { fix, suggestions = [] }, diagnostic }) =>
    [
      ...(fix ? offer(fix, true) : []),
      ...suggestions.flatMap((suggestion) => offer(suggestion, false)),
    ].map((action) => ({ ...action, diagnostics: [diagnostic] })),
  );
  const preferredFirst = actions.sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred));
  return preferredFirst.slice(0, maxActions);
}

/** Returns an action with the result of `validate-screen --fix`. */
export function fixAllAction(before: string, after: string, makeEdit: EditMaker): CodeAction {
  return {
    title: 'Fix all findings that have one correct fix',
    kind: fixAllKind,
    edit: makeEdit([difference(before, after)]),
  };
}

/** Returns true if a client requests actions of a kind, of a parent kind, or of all kinds. */
export function isWanted(kind: string, only: readonly string[] | undefined): boolean {
  return only?.some((requested) => kind === requested || kind.startsWith(`${requested}.`)) ?? true;
}

function touches(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Returns the smallest single edit that turns one text into another and splits no surrogate pair or CRLF. */
function difference(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (isSplit(before, start) || isSplit(after, start)) start -= 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  if (isSplit(before, before.length - tail) || isSplit(after, after.length - tail)) tail -= 1;
  const replacement = after.slice(start, after.length - tail);
  return { offset: start, length: before.length - tail - start, replacement };
}

/** Returns true if an offset is inside a surrogate pair or a CRLF. */
function isSplit(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
