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

/** Shows a payment that is being waited for. */
export interface Presenter extends PaymentScreen {
  /** True where the result is on the screen that stdout is, so that it need not be printed again. */
  readonly showsResult: boolean;
}

type PresenterOptions = Pick<PaymentScreenOptions, 'card' | 'keys' | 'onKey'>;

/** A live screen where there is a terminal that can be painted on; lines on stderr elsewhere. */
export async function openPresenter(
  pay: PayContext,
  options: PresenterOptions,
): Promise<Presenter> {
  const { context } = pay;
  const screen = paintedScreenOf(context);
  if (!screen) return linePresenter(pay, options.card);
  const drawing = drawingOf(context, screen);
  const giveBack = showFirstSight(screen, options.card, drawing);
  // The zone may have to be asked for, and whoever leaves meanwhile leaves no code behind.
  context.signal.addEventListener('abort', giveBack);
  const [{ openPaymentScreen }, zone] = await Promise.all([
    import('../../src/terminal/painted.js'),
    pay.gateway.zone(),
  ]).finally(() => {
    context.signal.removeEventListener('abort', giveBack);
    giveBack();
  });
  const style = { ...drawing, zone };
  const opened = openPaymentScreen({ ...options, stdin: context.stdin, terminal: screen, style });
  return {
    ...opened,
    showsResult: screen === context.stdout,
    // Provider and storage speak here in words of their own, past the escapes of `output`.
    show: (status, now) => opened.show({ ...status, text: escapeForeign(status.text) }, now),
  };
}

/** stdout where it is a terminal that no JSON is written to, else stderr, else none. */
function screenOf({ stdout, stderr, output }: CommandContext): OutputStream | undefined {
  if (stdout.isTTY && !output.json) return stdout;
  return stderr.isTTY ? stderr : undefined;
}

/** The screen where it can be painted on. */
function paintedScreenOf(context: CommandContext): OutputStream | undefined {
  const { env, output } = context;
  return canPaint(env) && !output.plain ? screenOf(context) : undefined;
}

/** How is drawn on a screen; the zone, which may have to be asked for, comes later. */
function drawingOf(context: CommandContext, screen: OutputStream): Omit<ScreenStyle, 'zone'> {
  const { env, output } = context;
  const colors = output.screenColors[screen === context.stdout ? 'stdout' : 'stderr'];
  const enabled = colors.bold('') !== '';
  return { colors, depth: colorDepth(env, enabled), darkBackground: hasDarkBackground(env) };
}

/**
 * Shows a fresh payment where no live screen is: on stdout, or on stderr where stdout is for JSON.
 * A terminal gets the code, too, but for one of which lines are wanted.
 */
export async function printCreated(
  { context, gateway }: PayContext,
  card: PaymentCard,
): Promise<void> {
  const { output, stdout, stderr } = context;
  const zone = await gateway.zone();
  const screen = screenOf(context);
  // The code is drawn with colours of its own, and holds nothing of anybody's text.
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
  if (clientName !== undefined) lines.push(`Client   ${clientName}`);
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

/** Gives the rows back that were written, so that something else is drawn there; once, however often it is called. */
type GiveBack = () => void;

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
