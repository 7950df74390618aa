import type { ColorDepth } from '../color-depth.js';
import type { Colors } from '../colors.js';
import type { Tone } from './payment-card.js';

/** How the payment screen may draw. */
export interface ScreenStyle {
  readonly colors: Colors;
  readonly depth: ColorDepth;
  readonly darkBackground: boolean;
  /** IANA name: whose clocks times are shown by. */
  readonly zone: string;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const toneColors = {
  waiting: 'cyan',
  busy: 'magenta',
  attention: 'yellow',
  success: 'green',
  failed: 'red',
  expired: 'yellow',
  unknown: 'blue',
} as const satisfies Record<Tone, keyof Colors>;

/** Text in the colour of a tone. */
export function toned(colors: Colors, tone: Tone, text: string): string {
  return colors[toneColors[tone]](text);
}

/** The size of a terminal; one that does not know it is taken for the classic one. */
export function sizeOf(terminal: {
  readonly columns?: number;
  readonly rows?: number;
}): ScreenSize {
  return { columns: terminal.columns || 80, rows: terminal.rows || 24 };
}
