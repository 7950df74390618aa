import { sep } from 'node:path';

/** Where a backslash parts folders, they are parted by slashes; elsewhere it is a letter of a name. */
export function withSlashes(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}
