import { describe, expect, it } from 'vitest';
import {
  height,
  placeLabels,
  placePoints,
  radius,
} from '../../src/screens/render/archetypes/map-places.js';

/** The width of a narrow drawing, where points are closest to each other (em). */
const narrow = 23;

function distances(points: readonly { x: number; y: number }[]): number[] {
  return points.flatMap((one, index) =>
    points.slice(0, index).map((other) => {
      return Math.max((Math.abs(one.x - other.x) / 100) * narrow, Math.abs(one.y - other.y));
    }),
  );
}

describe('positions of points', () => {
  it('are proportional to the definition, away from the edges', () => {
    const places = placePoints([
      { x: 0, y: 0 },
      { x: 100, y: 100 },
      { x: 50, y: 50 },
    ]);
    expect(places[2]).toEqual({ x: 50, y: height / 2 });
    expect(places[0]?.y).toBeGreaterThan(radius);
    expect(places[1]?.y).toBeLessThan(height - radius);
  });

  it.each([
    ['all in one place', () => ({ x: 50, y: 50 })],
    ['all in one corner', () => ({ x: 100, y: 0 })],
    ['on one line', (index: number) => ({ x: index, y: 100 })],
  ])('do not overlap: 24 of them %s', (_, point) => {
    const places = placePoints(Array.from({ length: 24 }, (__, index) => point(index)));
    expect(Math.min(...distances(places))).toBeGreaterThanOrEqual(2 * radius);
    for (const { x, y } of places) {
      expect([x > 0, x < 100, y > radius, y < height - radius]).toEqual([true, true, true, true]);
    }
  });

  it('are as defined when too many points share one position', () => {
    const places = placePoints(Array.from({ length: 101 }, () => ({ x: 50, y: 50 })));
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`))).toEqual(new Set([`50 ${height / 2}`]));
    expect(placeLabels(Array(101).fill('Алматы'), places)).toEqual(Array(101).fill(undefined));
  });
});

describe('positions of labels', () => {
  const far = placePoints([
    { x: 20, y: 20 },
    { x: 80, y: 80 },
  ]);

  it('are below their points in every drawing with enough room', () => {
    expect(placeLabels(['Алматы', 'Астана'], far)).toEqual([
      { side: 'below', from: 0 },
      { side: 'below', from: 0 },
    ]);
  });

  it('require a wider drawing for longer labels', () => {
    const [label] = placeLabels(['Насосная станция Северо-Восточная № 1', 'Астана'], far);
    expect(label?.from).toBeGreaterThan(0);
  });

  it('are undefined for labels that would cover others and for blank ones', () => {
    const crowded = placePoints(Array.from({ length: 24 }, () => ({ x: 50, y: 50 })));
    const long = Array.from({ length: 24 }, () => 'Насосная станция Северо-Восточная № 1');
    const placed = placeLabels(long, crowded).filter((label) => label !== undefined);
    expect(placed.length).toBeLessThan(24);
    expect(placeLabels(['  ', 'Астана'], far)[0]).toBeUndefined();
  });
});
