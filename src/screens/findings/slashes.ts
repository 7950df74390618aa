import { sep } from 'node:path';

/** Returns a path with forward slashes. Outside Windows a backslash is part of a name and stays. */
export function withSlashes(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}
