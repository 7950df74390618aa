import type { QrStyle } from '../qr.js';
import { type OutputStream, sizeOf } from '../streams.js';
import { layOut } from './live-layout.js';
import type { PaymentCard } from './payment-card.js';

/** Gives the rows back that were written, so that something else is drawn there; once, however often it is called. */
export type GiveBack = () => void;

/** Everything from the cursor on erased. */
const eraseBelow = '\u001b[J';

/**
 * Shows the code of a payment alone, where its screen has it, for as long as what draws that screen is being loaded: a
 * client can scan it already.
 */
export function showFirstSight(
  terminal: OutputStream,
  { link }: Pick<PaymentCard, 'link'>,
  style: QrStyle,
): GiveBack {
  const size = sizeOf(terminal);
  const layout = layOut(link, size, style);
  if (!('qr' in layout)) return () => {};
  const head = layout.kind === 'stacked' ? layout.head : 0;
  const lines = [...Array<string>(head).fill(''), ...layout.qr.lines];
  terminal.write(lines.join('\n'));
  let isShown = true;
  return () => {
    if (!isShown) return;
    isShown = false;
    const { columns, rows } = sizeOf(terminal);
    const isAsBefore = columns === size.columns && rows === size.rows;
    // A terminal that has changed its width has re-flowed what is on it: nobody knows where that is now.
    const up = lines.length > 1 ? `\r\u001b[${lines.length - 1}A` : '\r';
    terminal.write(`${isAsBefore ? up : '\u001b[H'}${eraseBelow}`);
  };
}
