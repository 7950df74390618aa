import { createInterface } from 'node:readline';
import type { ScreenStyle } from '../payment/payment-card.js';
import type { InputStream, OutputStream, TerminalSize } from '../streams.js';
import { spokenChanges } from './till-speech.js';
import type { TillEvent, TillState } from './till-types.js';

export interface TillFaceOptions {
  /** A terminal. */
  readonly stdin: InputStream;
  readonly terminal: OutputStream;
  /** As it is at the moment of drawing. */
  style(): ScreenStyle;
  /** What of the screen is not decided by the state. */
  about(state: TillState): Pick<TillViewProps, 'cashier' | 'at' | 'doubtsCommand'>;
  /** Called with what the cashier does. */
  onEvent(event: TillEvent): void;
  /** Called when the terminal has gone. */
  onGone(): void;
}

/** What shows the till, and hears the cashier. */
export interface TillFace {
  show(state: TillState): void;
  bell(): void;
  /** Gives the terminal back as it was; may be called again. */
  close(): void;
}

/** What every part of the till is drawn from. */
export interface TillViewProps {
  readonly state: TillState;
  readonly size: TerminalSize;
  readonly style: ScreenStyle;
  /** The cashier as the screen shows them: `+7 (701) ***-**-67`. */
  readonly cashier: string;
  /** The gateway's origin, or `here`. */
  readonly at: string;
  /** The command that lists the requests in doubt. */
  readonly doubtsCommand: string;
}

/** A part of the screen that has so much room. */
export interface PartProps {
  readonly state: TillState;
  readonly style: ScreenStyle;
  readonly columns: number;
  readonly rows: number;
}

/** Characters of a line that the till reads. */
const longestLine = 1_000;

/**
 * The till in lines: what changes is said once, nothing is drawn over, and the cashier answers with lines. For
 * screen readers, and for terminals that cannot be painted on.
 */
export function openPlainScreen(options: TillFaceOptions): TillFace {
  const { stdin, terminal, about, onEvent, onGone } = options;
  const lines = createInterface({ input: stdin, terminal: false });
  let last: TillState | undefined;
  let isOpen = true;
  lines.on('line', (text) => {
    if (isOpen) onEvent({ on: 'line', text: text.slice(0, longestLine) });
  });
  lines.on('close', () => {
    if (isOpen) onGone();
  });
  return {
    show(state) {
      const said = isOpen ? spokenChanges(last, state, about(state).doubtsCommand) : [];
      last = state;
      if (said.length > 0) terminal.write(`${said.join('\n')}\n`);
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
