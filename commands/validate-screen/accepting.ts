import { dirname } from 'node:path';
import { escapeForeign } from '../../src/base/foreign-text.js';
import {
  type CheckedFile,
  nameFiles,
  nameInConfig,
  namesOneFile,
  namesWithoutFile,
  nextBaseline,
  pruneBaseline,
  wasChecked,
} from '../../src/screens/check/baseline.js';
import { type LoadedConfig, writeBaseline } from '../../src/screens/check/config.js';
import {
  type AcceptedFindings,
  acceptFindings,
  type Suppression,
} from '../../src/screens/findings/accepted.js';
import { type FileReport, omittedOf, plural } from '../../src/screens/findings/finding.js';
import { quote } from '../../src/screens/text/quote.js';
import type { CommandContext } from '../command.js';
import type { Selection, ValidateOptions } from './options.js';

/** Maximum number of findings per file in a baseline. Every run reads the baseline. */
const maxAccepted = 20_000;

/** Applies the accepted findings of a run, and updates the baseline at the end of the run. */
export interface Accepting {
  /** Options for the linter. */
  readonly lint: {
    readonly accepted?: AcceptedFindings;
    readonly max?: number;
  };
  /** Records the report of a file. */
  file(report: FileReport): void;
  /** Updates the baseline, or prints problems with it. */
  end(): Promise<void>;
}

const nothing: Accepting = { lint: {}, file: () => {}, end: async () => {} };

/** Opens the accepted findings of a configuration. */
export async function openAccepting(
  context: CommandContext,
  options: ValidateOptions,
  {
    loaded,
    selection,
  }: { readonly loaded: LoadedConfig | undefined; readonly selection: Selection },
): Promise<Accepting> {
  const { ignore = [], baseline = [] } = loaded?.config ?? {};
  const mode = options.baseline;
  if (mode === 'keep' && ignore.length + baseline.length === 0) return nothing;
  const { cwd, output } = context;
  const folder = loaded ? dirname(loaded.file) : cwd;
  const known =
    mode === 'write' ? baseline.filter((entry) => !namesOneFile(entry, folder)) : baseline;
  const entries = [...ignore, ...known];
  const names = await nameFiles(entries, { cwd, folder, files: selection.files });
  const run: CheckedFile[] = [];
  let hasOmissions = false;

  async function write(): Promise<void> {
    const next = nextBaseline(baseline, run, folder);
    const file = await writeBaseline(cwd, loaded, next, options.config);
    const count = findingsOf(next);
    output.note(
      `Accepted ${plural(count, 'finding')} in ${escapeForeign(file)}. Contract errors are never accepted.`,
    );
    if (hasOmissions) {
      output.note(
        `Some files have more than ${maxAccepted} findings. The remaining findings are not accepted.`,
      );
    }
  }

  async function prune(): Promise<void> {
    const { baseline: next, stale } = pruneBaseline(baseline, run, folder);
    if (stale > 0) await writeBaseline(cwd, loaded, next, options.config);
    output.note(
      stale > 0
        ? `Removed ${plural(stale, 'accepted finding')} that no longer ${stale === 1 ? 'occurs' : 'occur'}.`
        : 'All accepted findings still occur. The baseline is unchanged.',
    );
  }

  async function keep(): Promise<void> {
    const { stale } = pruneBaseline(baseline, run, folder);
    if (stale > 0) {
      output.note(
        `${plural(stale, 'finding')} of the baseline no longer ${stale === 1 ? 'occurs' : 'occur'}. Run with --prune-baseline to remove ${stale === 1 ? 'it' : 'them'}.`,
      );
    }
    await reportUnmatched();
  }

  /** Reports entries that match no file, unless files were named individually, which usually match few entries. */
  async function reportUnmatched(): Promise<void> {
    if (selection.bytes || options.files.every((word) => selection.files.includes(word))) return;
    const unmatched = await namesWithoutFile(entries, names, folder);
    if (unmatched.length === 0) return;
    const shown = unmatched.slice(0, 3).map((name) => quote(name, 100));
    const more =
      unmatched.length > shown.length ? ` and ${unmatched.length - shown.length} more` : '';
    output.note(
      `No file matches ${shown.join(', ')}${more}. Check "file" in the "ignore" and "baseline" entries.`,
    );
  }

  return {
    lint: {
      accepted: acceptFindings(entries, names),
      ...(mode === 'write' ? { max: maxAccepted } : {}),
    },
    file(report) {
      if (!wasChecked(report)) return;
      if (omittedOf(report) > 0) hasOmissions = true;
      const found = mode === 'write' ? report.findings : [];
      const findings = found.map(({ rule, identity }) => ({ rule, ...(identity && { identity }) }));
      const name = nameInConfig(report.file, { cwd, folder });
      run.push({ name, findings, accepted: report.accepted });
    },
    end: { write, prune, keep }[mode],
  };
}

function findingsOf(entries: readonly Suppression[]): number {
  return entries.reduce((sum, { count = 1 }) => sum + count, 0);
}
