import { textWidth } from '../charts/axis.js';

/** Position of a point: `x` in per cent of the drawing's width, `y` in em from the top. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Side of the point on which a label is drawn. */
export type Side = 'below' | 'above' | 'right' | 'left';

export interface LabelPlace {
  readonly side: Side;
  /** Index in `labelWidths` of the narrowest drawing that has room for the label. */
  readonly from: number;
}

/** Height of the drawing and radius of a point, in em. Both grow with the text size. */
export const height = 35;
export const radius = 1.1;

/** Size of one em at the default text size, in pixels. Labels have the same size. */
const em = 12;

/** Minimum widths of the drawing at which labels may appear, in em. */
export const labelWidths = [24, 32, 42, 54, 70] as const;

/** Minimum width of a drawing without overlapping points, and minimum distance between their centres, in em. */
const narrowest = 23;
const apart = 2 * radius + 0.3;

/**
 * Maximum number of points in a map that are kept apart and labelled. Each point is compared with all others. The
 * contract allows 24 points.
 */
const maxPlaced = 100;

/** Minimum distance of a point's centre from the edges: `x` in per cent, `y` in em. */
const edge = { x: 5, y: 1.6 };

/**
 * Returns the position of every point. A point that would cover an earlier one is moved aside, unless there are too
 * many points.
 */
export function placePoints(
  points: readonly { readonly x: number; readonly y: number }[],
): Place[] {
  const places: Place[] = [];
  for (const { x, y } of points) {
    const target = {
      x: edge.x + (x / 100) * (100 - 2 * edge.x),
      y: edge.y + (y / 100) * (height - 2 * edge.y),
    };
    places.push((points.length <= maxPlaced && nearestFree(target, places)) || target);
  }
  return places;
}

function nearestFree(target: Place, taken: readonly Place[]): Place | undefined {
  const isFree = ({ x, y }: Place): boolean =>
    taken.every(
      (other) =>
        (Math.abs(other.x - x) / 100) * narrowest >= apart || Math.abs(other.y - y) >= apart,
    );
  if (isFree(target)) return target;
  return moves
    .map(([x, y]) => ({ x: target.x + x, y: target.y + y }))
    .find(
      (place) =>
        place.x >= edge.x &&
        place.x <= 100 - edge.x &&
        place.y >= edge.y &&
        place.y <= height - edge.y &&
        isFree(place),
    );
}

/** Possible offsets of a covered point (per cent, em), sorted by their length in a wide drawing. */
const moves = Array.from({ length: 41 * 81 }, (_, index): readonly [number, number] => [
  ((index % 41) - 20) * 2.5,
  (Math.floor(index / 41) - 40) * 0.8,
]).sort((a, b) => cost(a) - cost(b));

function cost([x, y]: readonly [number, number]): number {
  return Math.hypot((x / 100) * 60, y);
}

/** A box in a drawing, in em. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns a side for each label. At every width from `from` on, the label stays inside the drawing and covers no point
 * and no other label. Labels for which this is impossible are undefined, and so are all labels if there are too many
 * points. Readers then find the point in the list by its number.
 */
export function placeLabels(
  labels: readonly string[],
  places: readonly Place[],
): readonly (LabelPlace | undefined)[] {
  const found: (LabelPlace | undefined)[] = labels.map(() => undefined);
  if (labels.length > maxPlaced) return found;
  const widths = labels.map((label) => textWidth(label) / em + 0.4);
  const boxOf = (index: number, { side, from }: LabelPlace, width: number): Box | undefined => {
    const place = places[index];
    if (place === undefined || (labelWidths[from] ?? 0) > width) return undefined;
    return labelBox(place, widths[index] ?? 0, side, width);
  };
  const fits = (index: number, label: LabelPlace): boolean =>
    testedWidths(label.from).every((width) => {
      const box = boxOf(index, label, width);
      if (box === undefined || box.left < 0 || box.right > width) return false;
      if (box.top < 0 || box.bottom > height) return false;
      const hits = (other: Box | undefined): boolean => other !== undefined && meet(box, other);
      return (
        !places.some((place) => hits(pointBox(place, width))) &&
        !found.some((known, other) => known !== undefined && hits(boxOf(other, known, width)))
      );
    });
  for (const from of labelWidths.keys()) {
    for (const [index, label] of labels.entries()) {
      if (found[index] !== undefined || label.trim() === '') continue;
      const side = sides.find((candidate) => fits(index, { side: candidate, from }));
      if (side !== undefined) found[index] = { side, from };
    }
  }
  return found;
}

const sides = ['below', 'right', 'left', 'above'] as const;

/**
 * Returns the widths (em) at which a label is tested: its minimum width, the wider steps, and some more widths up to
 * 1,900 px.
 */
function testedWidths(from: number): readonly number[] {
  const first = labelWidths[from] ?? 0;
  return [...labelWidths.filter((width) => width >= first), 88, 108, 132, 158];
}

function pointBox({ x, y }: Place, width: number): Box {
  const middle = (x / 100) * width;
  return { left: middle - radius, right: middle + radius, top: y - radius, bottom: y + radius };
}

/** Distances from a point's centre in em: to the baseline of a label (`side`: to the start of a label beside it). */
export const offsets = { below: 2.2, above: -1.5, base: 0.35, side: 1.5 };

function labelBox({ x, y }: Place, size: number, side: Side, width: number): Box {
  const middle = (x / 100) * width;
  if (side === 'below' || side === 'above') {
    const base = y + offsets[side];
    return { left: middle - size / 2, right: middle + size / 2, top: base - 1, bottom: base + 0.3 };
  }
  const near = middle + (side === 'right' ? offsets.side : -offsets.side);
  const far = side === 'right' ? near + size : near - size;
  const base = y + offsets.base;
  return {
    left: Math.min(near, far),
    right: Math.max(near, far),
    top: base - 1,
    bottom: base + 0.3,
  };
}

function meet(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
