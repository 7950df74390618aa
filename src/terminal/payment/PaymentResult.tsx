import { Box, Text } from 'ink';
import { bigText } from '../big-text.js';
import type { ColorDepth } from '../capabilities.js';
import { formatTimeOfDay } from '../formats.js';
import { Lines } from './Lines.js';
import type { PaymentCard, ResultKind, ResultWords, ScreenStyle } from './payment-card.js';
import { moneyText, sandboxResult } from './payment-words.js';

export interface PaymentResultProps {
  readonly card: PaymentCard;
  readonly words: ResultWords;
  /** The time of the result in milliseconds since the epoch. */
  readonly at: number;
  readonly columns: number;
  readonly style: ScreenStyle;
  /** `truncate` if there is no room for a second line; `wrap` by default. */
  readonly wrap?: 'wrap' | 'truncate';
}

/** Draws the result of a payment, which remains on the screen. */
export function PaymentResult(props: PaymentResultProps) {
  const { card, words, at, columns, style, wrap = 'wrap' } = props;
  const { id, orderNumber, receiptUrl } = card;
  const amount = moneyText(card);
  const facts = [
    ['Time', formatTimeOfDay(at, style.zone)],
    ['Payment', id],
    ['Customer', card.clientName],
    ['Order', orderNumber],
    ['Receipt', words.kind === 'success' ? receiptUrl : undefined],
  ];
  return (
    <Box flexDirection="column" width={columns}>
      <Lines
        lines={bannerLines({ words, amount, columns, depth: style.depth })}
        columns={columns}
      />
      <Text> </Text>
      <Text>{words.reason}</Text>
      {card.sandbox && <Text>{style.colors.bold(sandboxResult)}</Text>}
      {facts.map(
        ([name, value]) =>
          value && (
            <Text key={name} wrap={wrap}>
              {`${style.colors.dim((name ?? '').padEnd(9))}${value}`}
            </Text>
          ),
      )}
    </Box>
  );
}

/**
 * The colours of each result. With 256 colours, they are absolute, so that a theme cannot make green look like yellow.
 * They are never bold, because some terminals show bold black as grey.
 */
const paints: Readonly<Record<ResultKind, Readonly<Record<'16' | '256', string>>>> = {
  success: { '16': '30;42', '256': '38;5;16;48;5;41' },
  returned: { '16': '30;46', '256': '38;5;16;48;5;152' },
  failed: { '16': '97;41', '256': '38;5;231;48;5;160' },
  expired: { '16': '30;43', '256': '38;5;16;48;5;220' },
  unknown: { '16': '97;44', '256': '38;5;231;48;5;25' },
};

/** The character of the edge, which distinguishes results without colours. */
const edges: Readonly<Record<ResultKind, string>> = {
  success: '═',
  returned: '─',
  failed: '╳',
  expired: '┄',
  unknown: '?',
};

const widest = 76;

interface BannerOptions {
  readonly words: ResultWords;
  /** `1 500 ₸` */
  readonly amount: string;
  readonly columns: number;
  readonly depth: ColorDepth;
}

/** Returns the result in large letters, as lines of equal width. */
export function bannerLines({ words, amount, columns, depth }: BannerOptions): string[] {
  const { kind, title, symbol } = words;
  const width = Math.min(columns, widest);
  const large = bigText(title, width - 4) ?? [title];
  const edge = edges[kind].repeat(width);
  const facts = `${symbol} ${title}  ${amount}`;
  const lines = [edge, '', ...large, '', facts, edge].map((line) => centred(line, width));
  if (depth === 0) return lines.map((line) => line.trimEnd());
  const paint = paints[kind][depth === 16 ? '16' : '256'];
  return lines.map((line) => `\u001b[${paint}m${line}\u001b[0m`);
}

function centred(line: string, width: number): string {
  const left = Math.max(0, Math.floor((width - line.length) / 2));
  return `${' '.repeat(left)}${line}`.padEnd(width);
}
