/** What turns a picture upright: first turned clockwise by so many degrees, then mirrored from left to right. */
export interface Turn {
  readonly degrees: 0 | 90 | 180 | 270;
  readonly isMirrored: boolean;
}

const upright: Turn = { degrees: 0, isMirrored: false };

/** By the value of EXIF's Orientation (Exif 2.32, section 4.6.4). */
const turns: Readonly<Record<number, Turn>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 90, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 270, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

/** How a picture with this orientation is turned upright; not at all where it says nothing that makes sense. */
export function turnOf(orientation: number | undefined): Turn {
  return turns[orientation ?? 1] ?? upright;
}

/** Whether width and height change places. */
export function isSideways({ degrees }: Turn): boolean {
  return degrees === 90 || degrees === 270;
}
