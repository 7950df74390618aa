import { commands, groups } from './registry.js';

/** The words of every command and group. */
export const paths: ReadonlySet<string> = new Set([
  ...Object.keys(groups),
  ...commands.map(({ path }) => path),
]);
