import {
  CodeActionKind,
  type InitializeParams,
  MarkupKind,
  PositionEncodingKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';

/** The kind of the action that applies all fixes. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.msgsite`;

/** The capabilities of a client that affect responses. */
export type Client = ReturnType<typeof readClient>;

export function readClient({ capabilities }: Pick<InitializeParams, 'capabilities'>) {
  const { textDocument = {}, workspace = {} } = capabilities;
  const edits = workspace.workspaceEdit ?? {};
  return {
    /** True if the client requests diagnostics. The server pushes them to other clients. */
    pullsDiagnostics: textDocument.diagnostic !== undefined,
    refreshesDiagnostics: workspace.diagnostics?.refreshSupport === true,
    supportsVersions: textDocument.publishDiagnostics?.versionSupport === true,
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

/** Returns the capabilities of the server for a client. */
export function capabilitiesFor(client: Client): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    // A quotation mark begins a name or a text, and a value follows a colon.
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
