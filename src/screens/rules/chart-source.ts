import { removal } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const chartSource: Rule = {
  id: 'chart-source',
  severity: 'warning',
  summary: 'The summary chart does not draw what it seems to',
  documentation:
    'The chart takes its bars from one source: counts by day (bucket and dateKey), counts by a field (groupBy), or bars given in the definition, in this order. bucket works only with dateKey, dateKey names a column of type date, and a chart with no source at all stays empty.',
  examples: () => ({
    bad: { chart: { title: 'By day', bucket: 'day' } },
    finds: ['/chart/bucket'],
    good: {
      chart: { title: 'By day', bucket: 'day', dateKey: 'received' },
      table: {
        columns: [{ key: 'received', label: 'Received', type: 'date' }],
        rows: [{ received: '2026-03-02' }],
      },
    },
  }),
  check({ degradations, definition, screen }, report, reportKey) {
    for (const { path } of degradations('bucket-without-date-key')) {
      report(
        path,
        'bucket needs dateKey, the key of a date column; without it days are not counted.',
      );
    }
    for (const { path } of degradations('group-by-ignored')) {
      report(path, 'groupBy is ignored, because bucket is set and wins.', () => ({
        suggestions: [removal(path, 'groupBy')],
      }));
    }
    const { chart, table } = definition;
    if (chart === undefined || screen.chart === undefined) return;
    const { source } = screen.chart;
    if (source.kind !== 'bars' && (chart.bars ?? []).length > 0) {
      const winner = source.kind === 'days' ? 'bucket' : 'groupBy';
      reportKey(
        '/chart/bars',
        `These bars are never drawn, because ${winner} is set and wins.`,
        () => ({
          suggestions: [removal('/chart/bars', 'bars')],
        }),
      );
    }
    if (source.kind === 'bars' && source.bars.length === 0 && chart.bucket === undefined) {
      reportKey('/chart', 'The chart stays empty: give it bars, groupBy, or bucket with dateKey.');
    }
    if (chart.dateKey !== undefined && chart.bucket === undefined) {
      report('/chart/dateKey', 'dateKey has no effect without bucket "day".', () => ({
        suggestions: [removal('/chart/dateKey', 'dateKey')],
      }));
    }
    const column = table?.columns.find(({ key }) => key === chart.dateKey);
    if (column !== undefined && column.type !== 'date') {
      report(
        '/chart/dateKey',
        `Column ${quote(column.key)} has the type "${column.type ?? 'text'}"; dateKey names a column of type "date".`,
      );
    }
  },
};
