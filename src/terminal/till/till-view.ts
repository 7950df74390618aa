import type { ScreenStyle } from '../payment/payment-card.js';
import type { TerminalSize } from '../streams.js';
import type { TillState } from './till-types.js';

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
