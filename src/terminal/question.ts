import type { Readable, Writable } from 'node:stream';
import type { Colors } from './colors.js';

export interface Terminal {
  readonly stdin: Readable;
  /** Where questions are asked. */
  readonly stderr: Writable;
  readonly signal: AbortSignal;
  readonly colors: Colors;
  /** Whether questions and answers are lines: nothing is drawn again, for screen readers and terminals that cannot. */
  readonly plain: boolean;
}

export interface Question {
  readonly label: string;
  readonly mask?: string;
  /** Why the answer before this one was not taken. */
  readonly fault?: string | undefined;
  /** What is wrong with an answer, in a sentence; undefined = nothing. It is then asked for again. */
  readonly check?: (answer: string) => string | undefined;
  /** How the answer stays on the screen; masked or as typed where absent. Not in lines, which stay as typed. */
  readonly show?: (answer: string) => string;
  /** What an empty answer stands for. */
  readonly initial?: string;
}
