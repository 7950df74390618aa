import {
  CodeActionKind,
  type InitializeParams,
  MarkupKind,
  PositionEncodingKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';

/** The kind of the action that makes every fix that has one right answer. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.msgsite`;

/** What a client can do, as far as answers depend on it. */
export type Client = ReturnType<typeof readClient>;

export function readClient({ capabilities }: Pick<InitializeParams, 'capabilities'>) {
  const { textDocument = {}, workspace = {} } = capabilities;
  const edits = workspace.workspaceEdit ?? {};
  return {
    /** It asks for diagnostics; others are sent them. */
    pullsDiagnostics: textDocument.diagnostic !== undefined,
    refreshesDiagnostics: workspace.diagnostics?.refreshSupport === true,
    knowsVersions: textDocument.publishDiagnostics?.versionSupport === true,
    watchesFiles: workspace.didChangeWatchedFiles?.dynamicRegistration === true,
    hasFolders: workspace.workspaceFolders === true,
    fillsSnippets: textDocument.completion?.completionItem?.snippetSupport === true,
    readsMarkdown: hasMarkdown(textDocument.hover?.contentFormat),
    completesWithMarkdown: hasMarkdown(
      textDocument.completion?.completionItem?.documentationFormat,
    ),
    editsVersions: edits.documentChanges === true,
    takesCodeActions: textDocument.codeAction?.codeActionLiteralSupport !== undefined,
  };
}

function hasMarkdown(formats: readonly MarkupKind[] | undefined): boolean {
  return formats?.includes(MarkupKind.Markdown) === true;
}

/** What the server can do for such a client. */
export function capabilitiesFor(client: Client): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    // Names and words begin with a quote; a value is due behind a colon, and blanks come by themselves.
    completionProvider: { triggerCharacters: ['"', ':'] },
    hoverProvider: true,
    definitionProvider: true,
    ...(client.takesCodeActions
      ? { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] } }
      : {}),
    ...(client.hasFolders
      ? { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } }
      : {}),
    ...(client.pullsDiagnostics
      ? { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } }
      : {}),
  };
}
