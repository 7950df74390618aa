import { escapeForeign } from '../../src/base/foreign-text.js';
import { canPaint } from '../../src/terminal/can-paint.js';
import { colorDepth, hasDarkBackground } from '../../src/terminal/color-depth.js';
import { formatTenge } from '../../src/terminal/money.js';
import type {
  PaymentCard,
  ResultWords,
  StatusLine,
} from '../../src/terminal/payment/payment-card.js';
import { type ScreenStyle, sizeOf } from '../../src/terminal/payment/style.js';
import { drawQr } from '../../src/terminal/qr.js';
import { formatMoment } from '../../src/terminal/time.js';
import type { CommandContext } from '../command.js';

/** Shows a payment that is being waited for. */
export interface Presenter {
  /** True where the result is on the screen that stdout is, so that it need not be printed again. */
  readonly showsResult: boolean;
  show(status: StatusLine, now: number): void;
  finish(words: ResultWords, at: number, card: PaymentCard): Promise<void>;
  /** The waiting ends without a result. */
  leave(): Promise<void>;
}

export interface PresenterOptions {
  readonly context: CommandContext;
  readonly card: PaymentCard;
  readonly zone: string;
  readonly keys: readonly string[];
  readonly onKey: (key: string) => void;
}

/** A live screen where there is a terminal that can be painted on; lines on stderr elsewhere. */
export async function openPresenter(options: PresenterOptions): Promise<Presenter> {
  const { context, card, zone, keys, onKey } = options;
  const screen = screenOf(context);
  if (!screen || !canPaint(context.env)) return linePresenter(context, card, zone);
  const { openPaymentScreen } = await loadScreen();
  const style = styleOf(context, screen, zone);
  const { stdin } = context;
  const opened = openPaymentScreen({ stdin, terminal: screen, card, style, keys, onKey });
  return {
    ...opened,
    showsResult: screen === context.stdout,
    // Provider and storage speak here in words of their own, past the escapes of `output`.
    show: (status, now) => opened.show({ ...status, text: escapeForeign(status.text) }, now),
  };
}

const loadScreen = () => import('../../src/terminal/payment/payment-screen.js');

/** Loads what draws the screen, which takes a while, so that it can be done while the bank is asked. */
export function prepareScreen(context: CommandContext): void {
  if (screenOf(context) && canPaint(context.env)) void loadScreen();
}

type Screen = CommandContext['stdout'];

/** stdout where it is a terminal that no JSON is written to, else stderr, else none. */
function screenOf({ stdout, stderr, output }: CommandContext): Screen | undefined {
  if (stdout.isTTY && !output.json) return stdout;
  return stderr.isTTY ? stderr : undefined;
}

function styleOf(context: CommandContext, screen: Screen, zone: string): ScreenStyle {
  const { env, output } = context;
  const colors = output.screenColors[screen === context.stdout ? 'stdout' : 'stderr'];
  const enabled = colors.bold('') !== '';
  return { colors, zone, depth: colorDepth(env, enabled), darkBackground: hasDarkBackground(env) };
}

/**
 * Tells of a fresh payment where no live screen is: on stdout, or on stderr where stdout is for JSON.
 * A terminal gets the code, too.
 */
export function printCreated(context: CommandContext, card: PaymentCard, zone: string): void {
  const { output, stdout, stderr } = context;
  const screen = screenOf(context);
  // The code is drawn with colours of its own, and holds nothing of anybody's text.
  if (screen) (output.json ? stderr : stdout).write(qrText(context, screen, card, zone));
  const text = createdText(card, zone);
  if (output.json) output.note(text);
  else output.line(undefined, () => text);
}

function qrText(context: CommandContext, screen: Screen, card: PaymentCard, zone: string): string {
  if (card.link === undefined) return '';
  // The screen scrolls, so the height does not matter.
  const size = { columns: sizeOf(screen).columns, rows: Number.POSITIVE_INFINITY };
  const drawing = drawQr(card.link, size, styleOf(context, screen, zone));
  return drawing ? `${drawing.lines.join('\n')}\n` : '';
}

function createdText({ id, amount, link, clientName, expiresAt }: PaymentCard, zone: string) {
  const lines = [`Payment  ${id}`, `Amount   ${formatTenge(amount)}`];
  if (clientName !== undefined) lines.push(`Client   ${clientName}`);
  if (link !== undefined) lines.push(`Link     ${link}`);
  if (expiresAt !== undefined) lines.push(`Until    ${formatMoment(expiresAt, zone)}`);
  return lines.join('\n');
}

function linePresenter(context: CommandContext, card: PaymentCard, zone: string): Presenter {
  printCreated(context, card, zone);
  let last = '';
  return {
    showsResult: false,
    show({ symbol, text }) {
      const line = `${symbol} ${text}`;
      if (line !== last) context.output.note(line);
      last = line;
    },
    async finish() {},
    async leave() {},
  };
}
