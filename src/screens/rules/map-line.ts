import { pointer } from '../../json/pointers.js';
import { removal } from '../check/remedies.js';
import type { Rule } from './rule.js';

export const mapLine: Rule = {
  id: 'map-line',
  severity: 'warning',
  summary: 'A line of the map joins nothing',
  documentation:
    'A line is a pair of indexes into map.points, counted from 0. An index without a point, or a line from a point to itself, draws nothing.',
  examples: () => {
    const points = [
      { label: 'Depot', x: 10, y: 10 },
      { label: 'Shop', x: 60, y: 40 },
    ];
    return {
      bad: { map: { points, lines: [[0, 2]] } },
      finds: ['/map/lines/0'],
      good: { map: { points, lines: [[0, 1]] } },
    };
  },
  check({ degradations, definition }, report) {
    const { points = [], lines = [] } = definition.map ?? {};
    for (const { path, detail } of degradations('index-out-of-range', '/map')) {
      report(
        path,
        `There is no point ${detail}; the points are counted from 0 to ${points.length - 1}.`,
      );
    }
    for (const [index, [from, to]] of lines.entries()) {
      if (from === undefined || from !== to) continue;
      const path = pointer('map', 'lines', index);
      report(path, `The line joins point ${from} to itself.`, () => ({
        suggestions: [removal(path, 'the line')],
      }));
    }
  },
};
