import { createInterface } from 'node:readline';
import type { ScreenStyle } from '../payment/payment-card.js';
import type { InputStream, OutputStream, TerminalSize } from '../streams.js';
import { spokenChanges } from './till-speech.js';
import type { TillEvent, TillState } from './till-types.js';

export interface TillFaceOptions {
  /** Input of the terminal. */
  readonly stdin: InputStream;
  readonly terminal: OutputStream;
  /** Returns the current style. */
  style(): ScreenStyle;
  /** Returns the parts of the screen that are not in the state. */
  about(state: TillState): Pick<TillViewProps, 'cashier' | 'at' | 'doubtsCommand'>;
  /** Called with the cashier's input. */
  onEvent(event: TillEvent): void;
  /** Called when the terminal is closed. */
  onGone(): void;
}

/** The user interface of the till. */
export interface TillFace {
  show(state: TillState): void;
  bell(): void;
  /** Restores the terminal. Later calls do nothing. */
  close(): void;
}

export interface TillViewProps {
  readonly state: TillState;
  readonly size: TerminalSize;
  readonly style: ScreenStyle;
  /** The cashier's masked phone: `+7 (701) ***-**-67`. */
  readonly cashier: string;
  /** The gateway's origin, or `here`. */
  readonly at: string;
  /** The command that lists the requests in doubt. */
  readonly doubtsCommand: string;
}

/** A part of the screen with its size. */
export interface PartProps {
  readonly state: TillState;
  readonly style: ScreenStyle;
  readonly columns: number;
  readonly rows: number;
}

/** Maximum length of an input line, in characters. */
const maxLineLength = 1_000;

/**
 * Opens the till in plain mode, in which it prints each change as a line and reads lines. Plain mode is for screen
 * readers and for terminals that do not support drawing.
 */
export function openPlainScreen(options: TillFaceOptions): TillFace {
  const { stdin, terminal, about, onEvent, onGone } = options;
  const lines = createInterface({ input: stdin, terminal: false });
  let last: TillState | undefined;
  let isOpen = true;
  lines.on('line', (text) => {
    if (isOpen) onEvent({ on: 'line', text: text.slice(0, maxLineLength) });
  });
  lines.on('close', () => {
    if (isOpen) onGone();
  });
  return {
    show(state) {
      const changes = isOpen ? spokenChanges(last, state, about(state).doubtsCommand) : [];
      last = state;
      if (changes.length > 0) terminal.write(`${changes.join('\n')}\n`);
    },
    bell() {
      if (isOpen) terminal.write('\u0007');
    },
    close() {
      isOpen = false;
      lines.close();
    },
  };
}
