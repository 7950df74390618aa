import type { Readable, Writable } from 'node:stream';
import type { Colors } from './colors.js';

export interface Terminal {
  readonly stdin: Readable;
  /** Stream to which questions are written. */
  readonly stderr: Writable;
  readonly signal: AbortSignal;
  readonly colors: Colors;
  /** True to print lines instead of drawing. */
  readonly plain: boolean;
}

export interface Question {
  readonly label: string;
  readonly mask?: string;
  /** Reason why the previous answer was rejected. */
  readonly fault?: string | undefined;
  /** Returns an error message for an invalid answer, which repeats the question, or undefined for a valid answer. */
  readonly check?: (answer: string) => string | undefined;
  /** Formats the answer that remains on the screen. By default, it is masked or shown as typed. */
  readonly show?: (answer: string) => string;
  /** Default value, which is used for an empty answer. */
  readonly initial?: string;
}
