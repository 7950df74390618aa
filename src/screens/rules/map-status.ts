import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const mapStatus: Rule = {
  id: 'map-status',
  severity: 'warning',
  summary: 'A point of the map has a status that does not exist',
  documentation:
    'The status of a point is a key of statuses and gives the point its colour. With any other word the point falls back to its own tone.',
  examples: () => ({
    bad: {
      statuses: { ok: { label: 'Works', tone: 'ok' } },
      map: {
        points: [
          { label: 'Depot', x: 10, y: 10, status: 'okay' },
          { label: 'Shop', x: 60, y: 40, status: 'ok' },
        ],
      },
    },
    finds: ['/map/points/0/status'],
    good: {
      statuses: { ok: { label: 'Works', tone: 'ok' } },
      map: {
        points: [
          { label: 'Depot', x: 10, y: 10, status: 'ok' },
          { label: 'Shop', x: 60, y: 40, status: 'ok' },
        ],
      },
    },
  }),
  check({ degradations, definition }, report) {
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { path, detail } of degradations('status-unknown', '/map')) {
      report(path, () => `${quote(detail)} is no key of statuses.${didYouMean(detail, statuses)}`);
    }
  },
};
