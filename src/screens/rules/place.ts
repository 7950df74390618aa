import { pointer } from '../../json/pointers.js';

/** Where a walk is, as a chain: a pointer is only written for what is reported. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
}

export function pathOf(place: Place | undefined): string {
  return pointer(...stepsOf(place));
}

export function stepsOf(place: Place | undefined): readonly (string | number)[] {
  return place === undefined ? [] : [...stepsOf(place.parent), place.step];
}
