import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Connection,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { checkScreen } from '../check/check.js';
import { mendText } from '../check/mend.js';
import { type Client, fixAllKind } from './capabilities.js';
import type { CheckedDocument, Checks } from './checks.js';
import { editMaker, fixAllAction, isWanted, quickFixes } from './code-actions.js';
import { completionsAt } from './completion.js';
import type { Contract } from './contract.js';
import { definitionAt } from './definition.js';
import type { OpenDocuments } from './documents.js';
import { hoverAt } from './hover.js';
import { longestSheet } from './sheet.js';
import type { Sheets } from './sheets.js';
import { createStyle } from './style.js';

interface AnswerOptions {
  readonly connection: Connection;
  readonly client: Client;
  readonly contract: Contract;
  readonly documents: OpenDocuments;
  readonly checks: Checks;
  readonly sheets: Sheets;
}

/** Characters of a document that is fixed as a whole, which checks it several times. */
const longestMended = 512 * 1024;

/** Answers what a client asks about places in definitions. */
export function answerRequests(options: AnswerOptions): void {
  const { connection, client, contract, documents, checks, sheets } = options;
  const hoverStyle = createStyle(client.readsMarkdown);
  const style = createStyle(client.completesWithMarkdown);
  const { fillsSnippets } = client;

  function definition({ uri }: { readonly uri: string }): TextDocument | undefined {
    const document = documents.get(uri);
    return document?.kind === 'definition' ? document.text : undefined;
  }

  /** What is found in a document as it is now; an error where it is changed or closed meanwhile. */
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
    if (document === undefined || document.getText().length > longestSheet) return undefined;
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
    if (document === undefined || document.getText().length > longestSheet) return undefined;
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
    // Clients that ask at every step of the cursor show no actions for the whole document.
    const isAsked = only !== undefined || triggerKind !== CodeActionTriggerKind.Automatic;
    const canMend = report.findings.some(({ fix }) => fix !== undefined);
    const text = document.getText();
    if (!isAsked || !isWanted(fixAllKind, only) || !canMend || text.length > longestMended) {
      return actions;
    }
    const { version } = document;
    const recheck = async (next: string) => checkScreen(next, lint, { file: location.file });
    const mended = await mendText(text, recheck);
    const isStale = document.version !== version;
    return isStale || mended.text === text
      ? actions
      : [...actions, fixAllAction(text, mended.text, makeEdit)];
  }
}
