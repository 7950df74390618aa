import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../docs/machine.js';
import { metricsIn } from '../helpers/promql.js';
import { readMetrics } from '../helpers/read-metrics.js';
import { startTestServer } from '../helpers/test-server.js';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

interface Dashboard {
  readonly id: null;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

const path = join(root, 'deploy/grafana/msgsite-dashboard.json');
const dashboard: Dashboard = JSON.parse(readFileSync(path, 'utf8'));
const { panels } = dashboard;
const charts = panels.filter(({ type }) => type !== 'row');

/** Returns an expression with sample values for Grafana's variables. */
const filledIn = (expression: string) =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'msgsite');

it('the dashboard has no instance ID, and its panels have unique titles and IDs', () => {
  expect(dashboard).toMatchObject({ id: null, uid: 'msgsite', title: 'msgsite' });
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
  const ids = panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const titles = charts.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

it('panels do not overlap or exceed the 24 columns', () => {
  const taken = new Set<string>();
  for (const { title, gridPos } of panels) {
    const { x, y, w, h } = gridPos;
    expect([title, x + w <= 24]).toEqual([title, true]);
    for (let column = x; column < x + w; column += 1) {
      for (let line = y; line < y + h; line += 1) {
        expect([title, taken.has(`${column} ${line}`)]).toEqual([title, false]);
        taken.add(`${column} ${line}`);
      }
    }
  }
});

it('every panel queries the selected data source with existing variables', () => {
  const known = new Set(['__rate_interval', ...dashboard.templating.list.map(({ name }) => name)]);
  for (const { title, datasource, targets = [] } of charts) {
    expect(datasource?.uid, title).toMatch(/^\$\{datasource\}$/);
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      const used = [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
      expect([expr, used.filter((name) => !known.has(name))]).toEqual([expr, []]);
    }
  }
});

it('every expression is valid PromQL with exported metrics', async () => {
  const server = await startTestServer({ env: { MSGSITE_METRICS_PORT: '0' } });
  onTestFinished(() => server.close());
  await fetch(`${server.site}/health`);
  const read = charts.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => metricsIn(filledIn(expr))),
  );
  expect(read.length).toBeGreaterThanOrEqual(charts.length);
  await expect
    .poll(async () => {
      const { samples } = await readMetrics(server.metrics);
      const exported = new Set(samples.map(({ name }) => name));
      // This metric is available only on Linux.
      if (process.platform !== 'linux') exported.add('process_open_fds');
      return read.filter((name) => !exported.has(name));
    })
    .toEqual([]);
});
