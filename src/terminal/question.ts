import type { Readable, Writable } from 'node:stream';
import type { Colors } from './colors.js';

export interface Terminal {
  readonly stdin: Readable;
  /** Questions are written to it. */
  readonly stderr: Writable;
  readonly signal: AbortSignal;
  readonly colors: Colors;
  /** True to ask in lines, without drawing. */
  readonly plain: boolean;
}

export interface Question {
  readonly label: string;
  readonly mask?: string;
  /** Why the previous answer was refused. */
  readonly fault?: string | undefined;
  /** Returns why an answer is invalid, as a sentence; undefined if it is valid. The question is then asked again. */
  readonly check?: (answer: string) => string | undefined;
  /** Formats the answer that remains on a drawn screen; masked or as typed by default. */
  readonly show?: (answer: string) => string;
  /** The value of an empty answer. */
  readonly initial?: string;
}
