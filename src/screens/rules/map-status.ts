import type { Rule } from './rule.js';
import { checkStatuses } from './unknown-status.js';

export const mapStatus: Rule = {
  id: 'map-status',
  severity: 'warning',
  summary: 'A point of the map has a status that does not exist',
  documentation:
    'The status of a point is a key of statuses and gives the point its colour. With any other word the point falls back to its own tone.',
  examples: () => {
    const screen = (status: string) => ({
      statuses: { ok: { label: 'Works', tone: 'ok' } },
      map: {
        points: [
          { label: 'Depot', x: 10, y: 10, status },
          { label: 'Shop', x: 60, y: 40, status: 'ok' },
        ],
      },
    });
    return { bad: screen('okay'), finds: ['/map/points/0/status'], good: screen('ok') };
  },
  check: checkStatuses('/map'),
};
