import { sep } from 'node:path';

/** Returns a path with forward slashes. Except on Windows, a backslash is part of a name and does not change. */
export function withSlashes(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}
