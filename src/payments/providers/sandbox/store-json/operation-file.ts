import type { SandboxOperation } from '../operation.js';

/**
 * The name of an operation's file: its number, or where organizations count by themselves, its
 * organization's and its own: `1795230000`, `100017-1001`.
 */
export function fileOf(
  { organizationId, id }: Pick<SandboxOperation, 'organizationId' | 'id'>,
  numbering: 'all' | 'organization',
): string {
  return numbering === 'all' ? String(id) : `${organizationId}-${id}`;
}

/** The number of the operation in a file of this name. */
export function numberIn(file: string): number {
  return Number(file.slice(file.indexOf('-') + 1));
}
