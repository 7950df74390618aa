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

/** The language that a client may give definitions, whatever they are called. */
const definitionLanguage = 'msgsite-screen';

/** What a document is: by its name, or by a language that only definitions have. */
export function kindOf(uri: string, languageId: string): DocumentKind {
  const name = basename(decoded(uri));
  if (name === configName) return 'configuration';
  const isDefinition = name.endsWith('.screen.json') || languageId === definitionLanguage;
  return isDefinition ? 'definition' : 'other';
}

/** Where a document lies: the folder whose configuration counts, and its name in it. */
export interface Location {
  /** Undefined for what is in no file. */
  readonly folder: string | undefined;
  /** With forward slashes, as `validate-screen` reports it when it is run in the folder. */
  readonly file: string;
}

/** The workspace that a client begins with. */
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

/** The path of a file's URI; undefined where it names no file of this machine. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const path = fileURLToPath(uri);
    return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
  } catch {
    return undefined; // A host that is not this one, or an escape that stands for a slash.
  }
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** What a document that the client has sent is to the server. */
type DocumentKind = 'definition' | 'configuration' | 'other';

/** A document that is open in the editor. */
export interface OpenDocument {
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly version: number;
  /** Undefined where it is larger than the server reads; it is not kept then. */
  readonly text: TextDocument | undefined;
}

/** The documents that are open; a closed one is forgotten. */
export type OpenDocuments = ReturnType<typeof openDocuments>;

/** Keeps documents of `mostCharacters` at most. */
export function openDocuments(
  kindOf: (uri: string, languageId: string) => DocumentKind,
  mostCharacters: number,
) {
  const documents = new Map<string, OpenDocument & { readonly languageId: string }>();
  const keep = (
    uri: string,
    languageId: string,
    version: number,
    text: TextDocument,
  ): OpenDocument => {
    const fits = text.getText().length <= mostCharacters;
    const kind = kindOf(uri, languageId);
    const document = { uri, languageId, kind, version, text: fits ? text : undefined };
    documents.set(uri, document);
    return document;
  };
  return {
    open: ({ textDocument: { uri, languageId, version, text } }: DidOpenTextDocumentParams) =>
      keep(uri, languageId, version, TextDocument.create(uri, languageId, version, text)),
    /** Undefined where the document is not open. */
    change({
      textDocument: { uri, version },
      contentChanges,
    }: DidChangeTextDocumentParams): OpenDocument | undefined {
      const before = documents.get(uri);
      if (before === undefined) return undefined;
      const { languageId } = before;
      // A text that is not kept can only be replaced as a whole.
      const whole = contentChanges.findLastIndex((change) => !('range' in change));
      if (before.text === undefined && whole < 0) return before;
      const base = before.text ?? TextDocument.create(uri, languageId, version, '');
      const changes = whole < 0 ? contentChanges : contentChanges.slice(whole);
      return keep(uri, languageId, version, TextDocument.update(base, [...changes], version));
    },
    /** Whether it was open. */
    close: ({ uri }: TextDocumentIdentifier): boolean => documents.delete(uri),
    get: (uri: string): OpenDocument | undefined => documents.get(uri),
    all: (): readonly OpenDocument[] => [...documents.values()],
  };
}
