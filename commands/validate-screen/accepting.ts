import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { escapeForeign } from '../../src/base/foreign-text.js';
import * as named from '../../src/screens/check/baseline.js';
import {
  type BaselineFiles,
  isOfOneFile,
  type LookedInto,
  nextBaseline,
  pruneBaseline,
  wasLookedInto,
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

/** The most findings of one file that a baseline accepts: it has to be read again in every run. */
const mostAccepted = 20_000;

/** The accepted findings of a run, and what becomes of the baseline at its end. */
export interface Accepting {
  /** What the rules are told. */
  readonly lint: {
    readonly accepted?: AcceptedFindings;
    readonly most?: number;
    readonly identify?: boolean;
  };
  /** Takes note of a report. */
  file(report: FileReport): void;
  /** Renews the baseline, or says what is wrong with it. */
  end(): Promise<void>;
}

const nothing: Accepting = { lint: {}, file: () => {}, end: async () => {} };

/** Opens what a configuration accepts; undefined parts of it take no time. */
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
  const onDisk: BaselineFiles = {
    standsForMany: (name) => named.standsForMany(name, folder),
    isThere: (name) => existsSync(resolve(folder, name)),
  };
  const known =
    mode === 'write' ? baseline.filter((entry) => !isOfOneFile(entry, onDisk)) : baseline;
  const entries = [...ignore, ...known];
  const names = await named.nameFiles(entries, { cwd, folder, files: selection.files });
  const run: LookedInto[] = [];
  let leftOut = false;

  async function write(): Promise<void> {
    const next = nextBaseline(baseline, run, onDisk);
    const file = await writeBaseline(cwd, loaded, next, options.config);
    const count = findingsOf(next);
    output.note(
      `Accepted ${plural(count, 'finding')} in ${escapeForeign(file)}. Errors of the contract are never accepted.`,
    );
    if (leftOut) {
      output.note(`Of a file at most ${mostAccepted} findings are accepted; some have more.`);
    }
  }

  async function prune(): Promise<void> {
    const { baseline: next, stale } = pruneBaseline(baseline, run, onDisk);
    if (stale > 0) await writeBaseline(cwd, loaded, next, options.config);
    output.note(
      stale > 0
        ? `Dropped ${plural(stale, 'accepted finding')} that ${stale === 1 ? 'is' : 'are'} not found any more.`
        : 'All accepted findings are still there; the baseline stays as it is.',
    );
  }

  async function keep(): Promise<void> {
    const { stale } = pruneBaseline(baseline, run, onDisk);
    if (stale > 0) {
      output.note(
        `${plural(stale, 'finding')} of the baseline ${stale === 1 ? 'is' : 'are'} not found any more: --prune-baseline drops what is gone.`,
      );
    }
    await sayUnmatched();
  }

  /** Only where files were searched for: a single one that is named fits few entries. */
  async function sayUnmatched(): Promise<void> {
    if (selection.bytes || options.files.every((word) => selection.files.includes(word))) return;
    const unmatched = await named.namesWithoutFile(entries, names, folder);
    if (unmatched.length === 0) return;
    const shown = unmatched.slice(0, 3).map((name) => quote(name, 100));
    const more =
      unmatched.length > shown.length ? ` and ${unmatched.length - shown.length} more` : '';
    output.note(
      `No file is called or fits ${shown.join(', ')}${more}: see "file" of the entries in ignore and baseline.`,
    );
  }

  return {
    lint: {
      accepted: acceptFindings(entries, names),
      ...(mode === 'write' ? { most: mostAccepted, identify: true } : {}),
    },
    file(report) {
      if (!wasLookedInto(report)) return;
      if (omittedOf(report) > 0) leftOut = true;
      const found = mode === 'write' ? report.findings : [];
      const findings = found.map(({ rule, identity }) => ({ rule, ...(identity && { identity }) }));
      const name = named.nameInConfig(report.file, { cwd, folder });
      run.push({ name, findings, accepted: report.accepted });
    },
    end: { write, prune, keep }[mode],
  };
}

function findingsOf(entries: readonly Suppression[]): number {
  return entries.reduce((sum, { count = 1 }) => sum + count, 0);
}
