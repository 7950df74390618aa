import type { Clock } from '../../base/clock.js';
import type { AppError } from '../../base/errors.js';
import type { FileLayer } from '../../base/files/file-layer.js';

export interface JsonOrderStoreOptions {
  /** `<data>/orders` */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process, for people who look into the folder. */
  readonly label?: string;
  /** Called for a record whose file is damaged; lists skip it. */
  onDamaged(error: AppError): void;
  readonly files?: FileLayer;
}
