import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InitializeParams, WorkspaceFolder } from 'vscode-languageserver';
import { configName } from '../check/config-file.js';
import { withSlashes } from '../text/with-slashes.js';
import type { DocumentKind } from './documents.js';

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

/** Folders that are open in the editor. */
export interface Workspace {
  readonly folders: readonly string[];
  add(folders: readonly WorkspaceFolder[]): void;
  remove(folders: readonly WorkspaceFolder[]): void;
  locate(uri: string): Location;
}

/** The workspace that a client begins with. */
export function openWorkspace({ workspaceFolders, rootUri }: InitializeParams): Workspace {
  const single = rootUri ? [{ uri: rootUri }] : [];
  const first = workspaceFolders?.length ? workspaceFolders : single;
  let folders = first.flatMap(({ uri }) => pathOf(uri) ?? []);
  return {
    get folders() {
      return folders;
    },
    add(added) {
      folders = [...new Set([...folders, ...added.flatMap(({ uri }) => pathOf(uri) ?? [])])];
    },
    remove(removed) {
      const gone = new Set(removed.map(({ uri }) => pathOf(uri)));
      folders = folders.filter((folder) => !gone.has(folder));
    },
    locate(uri) {
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
