import type {
  DidChangeTextDocumentParams,
  DidOpenTextDocumentParams,
  TextDocumentIdentifier,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** What a document that the client has sent is to the server. */
export type DocumentKind = 'definition' | 'configuration' | 'other';

/** A document that is open in the editor. */
export interface OpenDocument {
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly version: number;
  /** Undefined where it is larger than the server reads; it is not kept then. */
  readonly text: TextDocument | undefined;
}

/** The documents that are open; a closed one is forgotten. */
export interface OpenDocuments {
  open(params: DidOpenTextDocumentParams): OpenDocument;
  /** Undefined where the document is not open. */
  change(params: DidChangeTextDocumentParams): OpenDocument | undefined;
  /** Whether it was open. */
  close(document: TextDocumentIdentifier): boolean;
  get(uri: string): OpenDocument | undefined;
  all(): readonly OpenDocument[];
}

/** Keeps documents of `mostCharacters` at most. */
export function openDocuments(
  kindOf: (uri: string, languageId: string) => DocumentKind,
  mostCharacters: number,
): OpenDocuments {
  const documents = new Map<string, OpenDocument & { readonly languageId: string }>();
  const keep = (uri: string, languageId: string, version: number, text: TextDocument) => {
    const fits = text.getText().length <= mostCharacters;
    const kind = kindOf(uri, languageId);
    const document = { uri, languageId, kind, version, text: fits ? text : undefined };
    documents.set(uri, document);
    return document;
  };
  return {
    open: ({ textDocument: { uri, languageId, version, text } }) =>
      keep(uri, languageId, version, TextDocument.create(uri, languageId, version, text)),
    change({ textDocument: { uri, version }, contentChanges }) {
      const before = documents.get(uri);
      if (before === undefined) return undefined;
      const { languageId } = before;
      // What is not kept can only be told anew.
      const whole = contentChanges.findLastIndex((change) => !('range' in change));
      if (before.text === undefined && whole < 0) return before;
      const base = before.text ?? TextDocument.create(uri, languageId, version, '');
      const changes = whole < 0 ? contentChanges : contentChanges.slice(whole);
      return keep(uri, languageId, version, TextDocument.update(base, [...changes], version));
    },
    close: ({ uri }) => documents.delete(uri),
    get: (uri) => documents.get(uri),
    all: () => [...documents.values()],
  };
}
