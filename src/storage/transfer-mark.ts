import { AppError } from '../base/errors.js';

/** What is written beside data that nobody must serve: it is not all there, or it has gone elsewhere. */
export interface TransferMark {
  readonly state: 'importing' | 'moved';
  /** Where the data comes from, or where it went; without passwords. */
  readonly place: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Words about the storage that is marked. */
export interface MarkedStorage {
  readonly name: string;
  /** How to go on with what is there although it was moved. */
  readonly unmark: string;
  /** How to be rid of an import that nobody wants to finish. */
  readonly discard: string;
}

/** Refuses marked data with a `conflict` that says how to go on. */
export function assertUnmarked(
  mark: TransferMark | undefined,
  { name, unmark, discard }: MarkedStorage,
): void {
  if (mark?.state === 'importing') {
    throw new AppError(
      'conflict',
      `The import into ${name} has not come to its end (from ${mark.place}, begun ${mark.since}).`,
      {
        hint: `Run the same msgsite data import or data move again: it continues where it stopped. To give it up, ${discard}.`,
      },
    );
  }
  if (mark?.state === 'moved') {
    throw new AppError(
      'conflict',
      `The data of ${name} was moved to ${mark.place} (${mark.since}).`,
      { hint: `Work with it there. To go on with what is here all the same, ${unmark}.` },
    );
  }
}
