import type { ScreenStyle } from '../payment/payment-card.js';
import type { InputStream, OutputStream } from '../streams.js';
import type { TillEvent, TillState } from './till-types.js';
import type { TillViewProps } from './till-view.js';

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
