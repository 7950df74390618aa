import { escapeForeign } from '../../src/base/foreign-text.js';
import { type SecretName, secretUses } from '../../src/transfer/summary.js';
import type { Transferred } from '../../src/transfer/transfer.js';
import type { CommandContext } from '../command.js';

/** Prints the result of a transfer, and the secrets that must be copied separately. */
export function reportTransfer(
  context: CommandContext,
  { records, sha256, kinds, secrets }: Transferred,
  words: Readonly<Record<string, string>>,
  title: string,
): void {
  const { output } = context;
  output.result({ ...words, records, sha256, kinds, secrets }, () => {
    const { dim } = output.colors;
    const lines = Object.entries(kinds)
      .filter(([, count]) => count.records > 0)
      .map(([kind, count]) => `${count.records.toLocaleString('en').padStart(14)}  ${kind}`);
    return [escapeForeign(title), ...lines, dim(`SHA-256 of all records: ${sha256}`)].join('\n');
  });
  noteSecrets(context, secrets);
}

/** Prints the secrets that must be copied separately. */
export function noteSecrets({ output }: CommandContext, secrets: readonly SecretName[]): void {
  if (secrets.length === 0) return;
  output.note(
    [
      'Secrets are not included. Serve the data with the same secrets (from secrets.json in the data folder or from your settings):',
      ...secrets.map((name) => `  ${name}: ${secretUses[name]}`),
    ].join('\n'),
  );
}

/** Warns about configured secrets that differ from those of the data. */
export function warnOfOtherSecrets(
  { output }: CommandContext,
  known: Readonly<Record<string, string>>,
  here: Readonly<Record<string, string>>,
): void {
  for (const [name, fingerprint] of Object.entries(known)) {
    if (here[name] === undefined || here[name] === fingerprint) continue;
    output.warn(`${name} differs from the secret that the data was created with.`);
  }
}
