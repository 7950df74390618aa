/**
 * Whether Ctrl+C is among keys that came together: on a busy machine several come as one, behind an Esc too, and whoever
 * gives up is never taken for typing.
 */
export function holdsInterrupt(keys: string): boolean {
  return keys.includes('\u0003');
}
