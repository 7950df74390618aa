import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Connection,
  type Location,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { checkScreen } from '../check/check-text.js';
import { fixText, hasFixes } from '../check/fix-file.js';
import { type Client, fixAllKind } from './capabilities.js';
import type { CheckedDocument, Checks } from './checks.js';
import { editMaker, fixAllAction, isWanted, quickFixes } from './code-actions.js';
import { completionsAt } from './completion.js';
import { type Contract, createStyle } from './contract.js';
import { rangeOf } from './diagnostics.js';
import { hoverAt } from './hover.js';
import { type Meaning, meaningOfKey, meaningOfValue } from './meanings.js';
import { maxSheetLength, pointedAt, type Sheet, type Sheets } from './sheet.js';
import type { OpenDocuments } from './workspace.js';

interface RequestOptions {
  readonly connection: Connection;
  readonly client: Client;
  readonly contract: Contract;
  readonly documents: OpenDocuments;
  readonly checks: Checks;
  readonly sheets: Sheets;
}

/** Maximum length of a document that can be fixed as a whole, in characters. Fixing requires several checks. */
const maxFixedLength = 512 * 1024;

/** Handles requests about positions in definitions. */
export function handleRequests(options: RequestOptions): void {
  const { connection, client, contract, documents, checks, sheets } = options;
  const hoverStyle = createStyle(client.readsMarkdown);
  const style = createStyle(client.completesWithMarkdown);
  const { fillsSnippets } = client;

  function definition({ uri }: { readonly uri: string }): TextDocument | undefined {
    const document = documents.get(uri);
    return document?.kind === 'definition' ? document.text : undefined;
  }

  /** Returns the findings of the current version, or an error if the document changes or closes during the check. */
  async function checkedNow(
    document: TextDocument,
  ): Promise<CheckedDocument | ResponseError<void>> {
    const { uri, version } = document;
    const checked = await checks.of(uri);
    if (checked?.version === version) return checked;
    return new ResponseError(LSPErrorCodes.ContentModified, 'The document has changed.');
  }

  connection.onCompletion(({ textDocument, position }) => {
    const document = definition(textDocument);
    if (document === undefined || document.getText().length > maxSheetLength) return undefined;
    const { names } = sheets.of(document);
    const offset = document.offsetAt(position);
    return completionsAt(document, names, offset, { contract, fillsSnippets, style });
  });
  connection.onDefinition(({ textDocument, position }) => {
    const document = definition(textDocument);
    return document && definitionAt(document, sheets.of(document), document.offsetAt(position));
  });
  connection.onHover(async ({ textDocument, position }) => {
    const document = definition(textDocument);
    if (document === undefined || document.getText().length > maxSheetLength) return undefined;
    const offset = document.offsetAt(position);
    const checked = await checkedNow(document);
    if (checked instanceof ResponseError) return checked;
    const findings = checked.report?.findings ?? [];
    const sheet = sheets.of(document);
    return hoverAt(document, sheet, offset, { contract, style: hoverStyle, findings });
  });
  connection.onCodeAction(async (params, token) => {
    const document = definition(params.textDocument);
    if (document === undefined || !client.takesCodeActions) return [];
    const checked = await checkedNow(document);
    if (checked instanceof ResponseError) return checked;
    if (token.isCancellationRequested) return [];
    return actionsFor(params, document, checked);
  });

  async function actionsFor(
    { range, context }: CodeActionParams,
    document: TextDocument,
    { report, location, lint }: CheckedDocument,
  ): Promise<CodeAction[]> {
    if (report === undefined) return [];
    const { only, triggerKind } = context;
    const makeEdit = editMaker(document, client);
    const actions = isWanted(CodeActionKind.QuickFix, only)
      ? quickFixes(document, report, range, makeEdit)
      : [];
    // Automatic requests, which editors send whenever the cursor moves, receive no actions for the whole document.
    const isExplicit = only !== undefined || triggerKind !== CodeActionTriggerKind.Automatic;
    const text = document.getText();
    if (
      !isExplicit ||
      !isWanted(fixAllKind, only) ||
      !hasFixes(report) ||
      text.length > maxFixedLength
    ) {
      return actions;
    }
    const { version } = document;
    const recheck = async (next: string) => checkScreen(next, lint, { file: location.file });
    const result = await fixText(text, recheck);
    const isStale = document.version !== version;
    return isStale || result.text === text
      ? actions
      : [...actions, fixAllAction(text, result.text, makeEdit)];
  }
}

/** Returns the definition of the name at an offset: a column, a status, a question, or a list item. */
function definitionAt(document: TextDocument, sheet: Sheet, offset: number): Location | undefined {
  const pointed = pointedAt(sheet, offset);
  if (pointed === undefined || sheet.tree === undefined) return undefined;
  const { path, isKey, node } = pointed;
  const meaning = isKey ? meaningOfKey(path) : meaningOfValue(path, sheet.names);
  const target = meaning && targetOf(meaning, sheet.tree, node.value, path);
  return target && { uri: document.uri, range: rangeOf(document, target) };
}

function targetOf(
  meaning: Meaning,
  tree: Node,
  value: unknown,
  path: readonly (string | number)[],
): Node | undefined {
  switch (meaning.kind) {
    case 'field':
      return columnOf(tree, value) ?? firstInRows(tree, value);
    case 'status':
      return nameIn(findNodeAtLocation(tree, ['statuses']), value);
    case 'item':
      return typeof value === 'number'
        ? itemsAt(tree, meaning.list.split('/'))[value - meaning.first]
        : undefined;
    case 'suggestion':
      return itemsAt(tree, ['ai', 'suggestions']).find((item) => item.value === value);
    case 'cell':
      return itemsAt(columnNode(tree, path.at(-1)), ['values']).find(
        (item) => item.value === value,
      );
    default:
      return undefined;
  }
}

function columnOf(tree: Node, key: unknown): Node | undefined {
  return valueIn(columnNode(tree, key), 'key');
}

function columnNode(tree: Node, key: unknown): Node | undefined {
  return itemsAt(tree, ['table', 'columns']).find(
    (column) => valueIn(column, 'key')?.value === key,
  );
}

/** Returns the node of a field's name in the first row that has the field. */
function firstInRows(tree: Node, key: unknown): Node | undefined {
  for (const row of itemsAt(tree, ['table', 'rows'])) {
    const name = nameIn(row, key);
    if (name) return name;
  }
  return undefined;
}

function itemsAt(tree: Node | undefined, path: readonly string[]): readonly Node[] {
  const list = tree && findNodeAtLocation(tree, [...path]);
  return list?.type === 'array' ? (list.children ?? []) : [];
}

function valueIn(object: Node | undefined, name: string): Node | undefined {
  return object?.type === 'object' ? findNodeAtLocation(object, [name]) : undefined;
}

/** Returns the node of a property's name. */
function nameIn(object: Node | undefined, name: unknown): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.map(({ children }) => children?.[0]).find((key) => key?.value === name);
}
