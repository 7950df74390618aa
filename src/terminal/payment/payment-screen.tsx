import { render, useInput } from 'ink';
import { once } from '../../base/single-flight.js';
import {
  containsInterrupt,
  type InputStream,
  inkStreams,
  type OutputStream,
  sizeOf,
} from '../streams.js';
import { LivePayment } from './LivePayment.js';
import { PaymentResult } from './PaymentResult.js';
import type { PaymentCard, ResultWords, ScreenStyle, StatusLine } from './payment-card.js';

export interface PaymentScreenOptions {
  readonly stdin: InputStream;
  /** The terminal to draw on. */
  readonly terminal: OutputStream;
  readonly card: PaymentCard;
  readonly style: ScreenStyle;
  readonly keys: readonly string[];
  /** Called with a printable key, or `ctrl+c`. */
  readonly onKey: (key: string) => void;
}

/** The cashier's screen while a payment is open. */
export interface PaymentScreen {
  /** Draws the payment; `now` is in milliseconds since the epoch. */
  show(status: StatusLine, now: number): void;
  /** Replaces the code with the result, which remains on the screen. */
  finish(words: ResultWords, at: number, card: PaymentCard): Promise<void>;
  /** Removes the code. Later calls do nothing. */
  leave(): Promise<void>;
}

/** Moves the cursor to the upper left corner and erases the screen. */
const clearScreen = '\u001b[H\u001b[J';

/** Draws a payment on a terminal and redraws it when the window is resized. */
export function openPaymentScreen(options: PaymentScreenOptions): PaymentScreen {
  const { stdin, terminal, card, style, keys, onKey } = options;
  const painted = paintingOver(terminal);
  let app = render(null, inkStreams(stdin, painted));
  let redraw = () => {};
  let isOpen = true;
  terminal.on('resize', restart);

  /** Redraws everything. A resized terminal has reflowed its text, so that the position of the drawing is unknown. */
  function restart(): void {
    app.unmount();
    terminal.write(clearScreen);
    app = render(null, inkStreams(stdin, painted));
    redraw();
  }

  const close = once(async () => {
    isOpen = false;
    terminal.off('resize', restart);
    app.unmount();
    await app.waitUntilExit();
  });

  return {
    show(status, now) {
      if (!isOpen) return;
      redraw = () => {
        const size = sizeOf(terminal);
        app.rerender(
          <>
            {stdin.isTTY && <Keys onKey={onKey} />}
            <LivePayment {...{ card, status, now, keys, size, style }} />
          </>,
        );
      };
      redraw();
    },
    async finish(words, at, ended) {
      const { columns } = sizeOf(terminal);
      app.rerender(<PaymentResult {...{ card: ended, words, at, columns, style }} />);
      await close();
    },
    async leave() {
      if (isOpen) app.rerender(null);
      await close();
    },
  };
}

/** Reads keys and draws nothing. Stdin must be a terminal. */
export function Keys({ onKey }: Pick<PaymentScreenOptions, 'onKey'>) {
  useInput((input, { ctrl }) => {
    if (containsInterrupt(input)) return onKey('ctrl+c');
    return onKey(ctrl ? `ctrl+${input}` : input.toLowerCase());
  });
  return null;
}

/** The sequence with which ink erases the screen and the scrollback if the last frame filled the window. */
const clearAll = '\u001b[2J\u001b[3J\u001b[H';

/**
 * Returns a terminal for ink on which a full-size frame overwrites the previous one row by row. ink would erase the
 * screen first, which flickers and removes the scrollback.
 */
function paintingOver(terminal: OutputStream): OutputStream {
  const write = (chunk: unknown, ...rest: unknown[]): unknown => {
    const isFull = typeof chunk === 'string' && chunk.startsWith(clearAll);
    const text = isFull ? overpaint(chunk.slice(clearAll.length), terminal.rows ?? 0) : chunk;
    return Reflect.apply(terminal.write, terminal, [text, ...rest]);
  };
  return new Proxy(terminal, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Erases each row before writing it, because the cursor may be on the last column afterwards. */
function overpaint(drawing: string, rows: number): string {
  const lines = drawing.split('\n');
  const painted = lines.map((line) => `\u001b[2K${line}`).join('\n');
  return `\u001b[H${painted}${lines.length < rows ? '\n\u001b[J' : ''}`;
}
