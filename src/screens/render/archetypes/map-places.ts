import { textWidth } from '../charts/axis.js';

/** Where a point stands: per cent of the drawing's width, and em from its top. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where a label stands beside its point. */
export type Side = 'below' | 'above' | 'right' | 'left';

export interface LabelPlace {
  readonly side: Side;
  /** Index, among the widths that labels appear at, of the narrowest drawing that has room for the label. */
  readonly from: number;
}

/** Sizes in em, so that the drawing grows with the reader's text: how high it is, and how large a point. */
export const height = 35;
export const radius = 1.1;

/** The size of a label and of what is measured in em, in pixels, where the reader changes nothing. */
const em = 12;

/** Widths of the drawing (em) from which on labels may appear. */
const labelWidths = [24, 32, 42, 54, 70] as const;

/** The narrowest drawing that points keep clear of each other in (em), and the distance between their middles. */
const narrowest = 23;
const apart = 2 * radius + 0.3;

/**
 * The most points of a map that are kept apart and labelled. The drawing has room for hardly more (the contract
 * allows 24), and each of them is compared with all others.
 */
const mostPlaced = 100;

/** From the edges to the middle of a point: per cent across, em down. */
const edge = { x: 5, y: 1.6 };

/** Where every point stands; those that would cover an earlier one stand beside it, unless there are too many. */
export function placePoints(
  points: readonly { readonly x: number; readonly y: number }[],
): Place[] {
  const places: Place[] = [];
  for (const { x, y } of points) {
    const wanted = {
      x: edge.x + (x / 100) * (100 - 2 * edge.x),
      y: edge.y + (y / 100) * (height - 2 * edge.y),
    };
    places.push((points.length <= mostPlaced && nearestFree(wanted, places)) || wanted);
  }
  return places;
}

function nearestFree(wanted: Place, taken: readonly Place[]): Place | undefined {
  const isFree = ({ x, y }: Place): boolean =>
    taken.every(
      (other) =>
        (Math.abs(other.x - x) / 100) * narrowest >= apart || Math.abs(other.y - y) >= apart,
    );
  if (isFree(wanted)) return wanted;
  return moves
    .map(([x, y]) => ({ x: wanted.x + x, y: wanted.y + y }))
    .find(
      (place) =>
        place.x >= edge.x &&
        place.x <= 100 - edge.x &&
        place.y >= edge.y &&
        place.y <= height - edge.y &&
        isFree(place),
    );
}

/** Ways out of another point's place (per cent, em), the shortest first as a wide drawing shows them. */
const moves = Array.from({ length: 41 * 81 }, (_, index): readonly [number, number] => [
  ((index % 41) - 20) * 2.5,
  (Math.floor(index / 41) - 40) * 0.8,
]).sort((a, b) => cost(a) - cost(b));

function cost([x, y]: readonly [number, number]): number {
  return Math.hypot((x / 100) * 60, y);
}

/** A box in em in a drawing of some width. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * A place for each label that finds one: where it covers no point and no other label and stays in the drawing,
 * at every width from its own on. For those without, and where there are too many points, the number of the
 * point leads to the list.
 */
export function placeLabels(
  labels: readonly string[],
  places: readonly Place[],
): readonly (LabelPlace | undefined)[] {
  const found: (LabelPlace | undefined)[] = labels.map(() => undefined);
  if (labels.length > mostPlaced) return found;
  const widths = labels.map((label) => textWidth(label) / em + 0.4);
  const boxOf = (index: number, { side, from }: LabelPlace, width: number): Box | undefined => {
    const place = places[index];
    if (place === undefined || (labelWidths[from] ?? 0) > width) return undefined;
    return labelBox(place, widths[index] ?? 0, side, width);
  };
  const fits = (index: number, label: LabelPlace): boolean =>
    judgedWidths(label.from).every((width) => {
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

/** Widths (em) that a label is tried at: its first, and others up to a drawing of 1,900 px. */
function judgedWidths(from: number): readonly number[] {
  const first = labelWidths[from] ?? 0;
  return [...labelWidths.filter((width) => width >= first), 88, 108, 132, 158];
}

function pointBox({ x, y }: Place, width: number): Box {
  const middle = (x / 100) * width;
  return { left: middle - radius, right: middle + radius, top: y - radius, bottom: y + radius };
}

/** From the middle of a point to the base line of a label below and above it, and to its side (em). */
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
