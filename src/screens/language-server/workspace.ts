import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  DidChangeTextDocumentParams,
  DidOpenTextDocumentParams,
  InitializeParams,
  TextDocumentIdentifier,
  WorkspaceFolder,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { configName } from '../check/config.js';
import { withSlashes } from '../findings/slashes.js';

/** The language ID that a client can assign to definitions with other file names. */
const definitionLanguage = 'msgsite-screen';

/** Returns the kind of a document, by its name or its language. */
function kindOf(uri: string, languageId: string): DocumentKind {
  const name = basename(decoded(uri));
  if (name === configName) return 'configuration';
  const isDefinition = name.endsWith('.screen.json') || languageId === definitionLanguage;
  return isDefinition ? 'definition' : 'other';
}

/** The folder whose configuration applies to a document, and the document's name in it. */
export interface Location {
  /** Undefined for a document without a file. */
  readonly folder: string | undefined;
  /** With forward slashes, as `validate-screen` reports it when run in the folder. */
  readonly file: string;
}

/** Opens the workspace with the initial folders of a client. */
export function openWorkspace({ workspaceFolders, rootUri }: InitializeParams) {
  const single = rootUri ? [{ uri: rootUri }] : [];
  const first = workspaceFolders?.length ? workspaceFolders : single;
  let folders = first.flatMap(({ uri }) => pathOf(uri) ?? []);
  return {
    add(added: readonly WorkspaceFolder[]): void {
      folders = [...new Set([...folders, ...added.flatMap(({ uri }) => pathOf(uri) ?? [])])];
    },
    remove(removed: readonly WorkspaceFolder[]): void {
      const gone = new Set(removed.map(({ uri }) => pathOf(uri)));
      folders = folders.filter((folder) => !gone.has(folder));
    },
    locate(uri: string): Location {
      const path = pathOf(uri);
      if (path === undefined) return { folder: undefined, file: basename(decoded(uri)) };
      const around = folders.filter((folder) => isInside(path, folder));
      const [nearest = dirname(path)] = around.sort((a, b) => b.length - a.length);
      return { folder: nearest, file: withSlashes(relative(nearest, path)) };
    },
  };
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Returns the path of a file URI, or undefined if it is not a file on this machine. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const path = fileURLToPath(uri);
    return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
  } catch {
    return undefined; // The URI has a remote host or an escaped slash.
  }
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

type DocumentKind = 'definition' | 'configuration' | 'other';

/** A document that is open in the editor. */
export interface OpenDocument {
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly version: number;
  /** Undefined if the document exceeds the size limit. */
  readonly text: TextDocument | undefined;
}

/** The open documents. */
export type OpenDocuments = ReturnType<typeof openDocuments>;

/** Tracks open documents, and stores the text of those with at most `maxCharacters`. */
export function openDocuments(maxCharacters: number) {
  const documents = new Map<string, OpenDocument & { readonly languageId: string }>();
  const store = (
    uri: string,
    languageId: string,
    version: number,
    text: TextDocument,
  ): OpenDocument => {
    const fits = text.getText().length <= maxCharacters;
    const kind = kindOf(uri, languageId);
    const document = { uri, languageId, kind, version, text: fits ? text : undefined };
    documents.set(uri, document);
    return document;
  };
  return {
    open: ({ textDocument: { uri, languageId, version, text } }: DidOpenTextDocumentParams) =>
      store(uri, languageId, version, TextDocument.create(uri, languageId, version, text)),
    /** Returns undefined if the document is not open. */
    change({
      textDocument: { uri, version },
      contentChanges,
    }: DidChangeTextDocumentParams): OpenDocument | undefined {
      const before = documents.get(uri);
      if (before === undefined) return undefined;
      const { languageId } = before;
      // If the text is not stored, only a full replacement can be applied.
      const whole = contentChanges.findLastIndex((change) => !('range' in change));
      if (before.text === undefined && whole < 0) return before;
      const base = before.text ?? TextDocument.create(uri, languageId, version, '');
      const changes = whole < 0 ? contentChanges : contentChanges.slice(whole);
      return store(uri, languageId, version, TextDocument.update(base, [...changes], version));
    },
    close: ({ uri }: TextDocumentIdentifier): boolean => documents.delete(uri),
    get: (uri: string): OpenDocument | undefined => documents.get(uri),
    all: (): readonly OpenDocument[] => [...documents.values()],
  };
}
