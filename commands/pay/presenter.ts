import { escapeForeign } from '../../src/base/foreign-text.js';
import { canPaint, colorDepth, hasDarkBackground } from '../../src/terminal/capabilities.js';
import { formatMoment, formatTenge } from '../../src/terminal/formats.js';
import { layOut } from '../../src/terminal/payment/live-layout.js';
import type { PaymentCard, ScreenStyle } from '../../src/terminal/payment/payment-card.js';
import type {
  PaymentScreen,
  PaymentScreenOptions,
} from '../../src/terminal/payment/payment-screen.js';
import { drawQr, type QrStyle } from '../../src/terminal/qr.js';
import { type OutputStream, sizeOf } from '../../src/terminal/streams.js';
import type { CommandContext } from '../command.js';
import type { PayContext } from './pay-context.js';

/** Shows an open payment. */
export interface Presenter extends PaymentScreen {
  /** True if the screen on stdout shows the result, so that it need not be printed again. */
  readonly showsResult: boolean;
}

type PresenterOptions = Pick<PaymentScreenOptions, 'card' | 'keys' | 'onKey'>;

/** Opens a live screen on a terminal that supports drawing. Otherwise, prints lines on stderr. */
export async function openPresenter(
  pay: PayContext,
  options: PresenterOptions,
): Promise<Presenter> {
  const { context } = pay;
  const screen = paintedScreenOf(context);
  if (!screen) return linePresenter(pay, options.card);
  const drawing = drawingOf(context, screen);
  const erase = showFirstSight(screen, options.card, drawing);
  // Requesting the time zone may take a while. If Ctrl+C is pressed in the meantime, the code is removed.
  context.signal.addEventListener('abort', erase);
  const [{ openPaymentScreen }, zone] = await Promise.all([
    import('../../src/terminal/painted.js'),
    pay.gateway.zone(),
  ]).finally(() => {
    context.signal.removeEventListener('abort', erase);
    erase();
  });
  const style = { ...drawing, zone };
  const opened = openPaymentScreen({ ...options, stdin: context.stdin, terminal: screen, style });
  return {
    ...opened,
    showsResult: screen === context.stdout,
    // The text may come from the provider or the storage, and `output` does not escape it here.
    show: (status, now) => opened.show({ ...status, text: escapeForeign(status.text) }, now),
  };
}

/** Returns stdout if it is a terminal and does not receive JSON, otherwise stderr if it is a terminal. */
function screenOf({ stdout, stderr, output }: CommandContext): OutputStream | undefined {
  if (stdout.isTTY && !output.json) return stdout;
  return stderr.isTTY ? stderr : undefined;
}

/** Returns the screen if it supports drawing. */
function paintedScreenOf(context: CommandContext): OutputStream | undefined {
  const { env, output } = context;
  return canPaint(env) && !output.plain ? screenOf(context) : undefined;
}

/** Returns the style of a screen without the time zone, which is requested later. */
function drawingOf(context: CommandContext, screen: OutputStream): Omit<ScreenStyle, 'zone'> {
  const { env, output } = context;
  const colors = output.screenColors[screen === context.stdout ? 'stdout' : 'stderr'];
  const enabled = colors.bold('') !== '';
  return { colors, depth: colorDepth(env, enabled), darkBackground: hasDarkBackground(env) };
}

/**
 * Prints a new payment if there is no live screen: on stdout, or on stderr with `--json`. On a terminal, also prints
 * the QR code, except in plain mode.
 */
export async function printCreated(
  { context, gateway }: PayContext,
  card: PaymentCard,
): Promise<void> {
  const { output, stdout, stderr } = context;
  const zone = await gateway.zone();
  const screen = screenOf(context);
  // The QR code contains colors and no untrusted text, so it bypasses `output`.
  if (screen && !output.plain) {
    const style = drawingOf(context, screen);
    (output.json ? stderr : stdout).write(qrText(screen, style, card));
  }
  const text = createdText(card, zone);
  if (output.json) output.note(text);
  else output.line(undefined, () => text);
}

function qrText(screen: OutputStream, style: QrStyle, { link }: PaymentCard): string {
  if (link === undefined) return '';
  // The screen scrolls, so the height does not matter.
  const size = { columns: sizeOf(screen).columns, rows: Number.POSITIVE_INFINITY };
  const drawing = drawQr(link, size, style);
  return drawing ? `${drawing.lines.join('\n')}\n` : '';
}

function createdText({ id, amount, link, clientName, expiresAt }: PaymentCard, zone: string) {
  const lines = [`Payment  ${id}`, `Amount   ${formatTenge(amount)}`];
  if (clientName !== undefined) lines.push(`Customer ${clientName}`);
  if (link !== undefined) lines.push(`Link     ${link}`);
  if (expiresAt !== undefined) lines.push(`Until    ${formatMoment(expiresAt, zone)}`);
  return lines.join('\n');
}

async function linePresenter(pay: PayContext, card: PaymentCard): Promise<Presenter> {
  await printCreated(pay, card);
  let last = '';
  return {
    showsResult: false,
    show({ symbol, text }) {
      const line = `${symbol} ${text}`;
      if (line !== last) pay.context.output.note(line);
      last = line;
    },
    async finish() {},
    async leave() {},
  };
}

/** Erases the written rows. Calls after the first one do nothing. */
type Erase = () => void;

/** Erases everything after the cursor. */
const eraseBelow = '\u001b[J';

/**
 * Shows only the QR code of a payment, at its final position, while the module that draws the screen is loading. The
 * customer can already scan it.
 */
export function showFirstSight(
  terminal: OutputStream,
  { link }: Pick<PaymentCard, 'link'>,
  style: QrStyle,
): Erase {
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
    // A resized terminal reflows its text, so the position of the rows is unknown.
    const up = lines.length > 1 ? `\r\u001b[${lines.length - 1}A` : '\r';
    terminal.write(`${isAsBefore ? up : '\u001b[H'}${eraseBelow}`);
  };
}
