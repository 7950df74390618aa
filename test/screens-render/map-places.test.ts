import { describe, expect, it } from 'vitest';
import {
  height,
  placeLabels,
  placePoints,
  radius,
} from '../../src/screens/render/archetypes/map-places.js';

/** Width of a narrow drawing, in which points are closest to each other, in em. */
const narrow = 23;

function distances(points: readonly { x: number; y: number }[]): number[] {
  return points.flatMap((one, index) =>
    points.slice(0, index).map((other) => {
      return Math.max((Math.abs(one.x - other.x) / 100) * narrow, Math.abs(one.y - other.y));
    }),
  );
}

describe('positions of points', () => {
  it('are proportional to the definition, and keep a distance from the edges', () => {
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
    ['at the same position', () => ({ x: 50, y: 50 })],
    ['in the same corner', () => ({ x: 100, y: 0 })],
    ['on one line', (index: number) => ({ x: index, y: 100 })],
  ])('do not overlap for 24 points %s', (_, point) => {
    const places = placePoints(Array.from({ length: 24 }, (__, index) => point(index)));
    expect(Math.min(...distances(places))).toBeGreaterThanOrEqual(2 * radius);
    for (const { x, y } of places) {
      expect([x > 0, x < 100, y > radius, y < height - radius]).toEqual([true, true, true, true]);
    }
  });

  it('are not adjusted if there are too many points', () => {
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

  it('are below their points in every drawing with enough space', () => {
    expect(placeLabels(['Алматы', 'Астана'], far)).toEqual([
      { side: 'below', from: 0 },
      { side: 'below', from: 0 },
    ]);
  });

  it('require a wider drawing for longer labels', () => {
    const [label] = placeLabels(['Насосная станция Северо-Восточная № 1', 'Астана'], far);
    expect(label?.from).toBeGreaterThan(0);
  });

  it('are undefined for labels that would cover others and for blank labels', () => {
    const crowded = placePoints(Array.from({ length: 24 }, () => ({ x: 50, y: 50 })));
    const long = Array.from({ length: 24 }, () => 'Насосная станция Северо-Восточная № 1');
    const placed = placeLabels(long, crowded).filter((label) => label !== undefined);
    expect(placed.length).toBeLessThan(24);
    expect(placeLabels(['  ', 'Астана'], far)[0]).toBeUndefined();
  });
});
