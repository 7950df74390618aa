import { escapeForeign } from '../../src/base/foreign-text.js';
import { plural } from '../../src/screens/check/findings.js';
import type { RunStats } from '../../src/screens/check/run-stats.js';
import type { Output } from '../../src/terminal/output.js';

/** The most rules that `--stats` lists; the others take next to nothing. */
const mostRules = 10;

/** Says on stderr where the time of a run went. */
export function showStats(stats: RunStats, output: Output): void {
  const { files, bytes, total, phases, rules, slowest } = stats;
  const slow = rules.slice(0, mostRules).map(({ rule, time }) => [rule, time] as const);
  const named = slowest.map(({ file, bytes: size, time }) => {
    const name = `${escapeForeign(file)} (${Math.ceil(size / 1024)} KB)`;
    return [name, time] as const;
  });
  const lines = [
    `${plural(files, 'file')} with ${Math.ceil(bytes / 1024)} KB in ${total.toFixed(0)} ms. Times of several threads are added up:`,
    ...columns(Object.entries(phases)),
    'The slowest rules:',
    ...columns(slow),
    'The slowest files:',
    ...columns(named),
  ];
  output.note(lines.join('\n'));
}

function columns(rows: readonly (readonly [string, number])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const times = rows.map(([, time]) => `${time.toFixed(2)} ms`);
  const most = Math.max(0, ...times.map((time) => time.length));
  return rows.map(([name], at) => `  ${name.padEnd(width)}  ${(times[at] ?? '').padStart(most)}`);
}
