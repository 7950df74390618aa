import type { OptionDefinition } from './command.js';

/** Flags that every command takes. */
export const commonOptions: readonly OptionDefinition[] = [
  { flags: '--json', description: 'print one JSON document on stdout' },
  { flags: '--verbose', description: 'show the stack of an unexpected error' },
];
