import { AppError } from '../base/errors.js';

/** A mark on data that must not be served because it is incomplete or was moved. */
export interface TransferMark {
  readonly state: 'importing' | 'moved';
  /** The source or the destination of the data, without passwords. */
  readonly place: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Texts about marked storage, for error messages. */
export interface MarkedStorage {
  readonly name: string;
  /** How to use the remaining data although it was moved. */
  readonly unmark: string;
  /** How to discard an unfinished import. */
  readonly discard: string;
}

/** Throws `conflict` for marked data, with a hint about how to continue. */
export function assertUnmarked(
  mark: TransferMark | undefined,
  { name, unmark, discard }: MarkedStorage,
): void {
  if (mark?.state === 'importing') {
    throw new AppError(
      'conflict',
      `The import into ${name} is not finished (from ${mark.place}, started ${mark.since}).`,
      {
        hint: `Run the same msgsite data import or data move again to resume the import. To discard it, ${discard}.`,
      },
    );
  }
  if (mark?.state === 'moved') {
    throw new AppError(
      'conflict',
      `The data of ${name} was moved to ${mark.place} (${mark.since}).`,
      { hint: `Use the data there. To use the data here anyway, ${unmark}.` },
    );
  }
}
