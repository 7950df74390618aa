import { Box, Text } from 'ink';
import { formatTimeOfDay } from '../formats.js';
import { bannerLines } from './banner.js';
import { Lines } from './Lines.js';
import type { PaymentCard, ResultWords, ScreenStyle } from './payment-card.js';
import { moneyText, sandboxResult } from './payment-words.js';

export interface PaymentResultProps {
  readonly card: PaymentCard;
  readonly words: ResultWords;
  /** When it was learned; milliseconds since the epoch. */
  readonly at: number;
  readonly columns: number;
  readonly style: ScreenStyle;
  /** `truncate` where there is no room for a second line; `wrap` by default. */
  readonly wrap?: 'wrap' | 'truncate';
}

/** What stays on the screen when the waiting has ended. */
export function PaymentResult(props: PaymentResultProps) {
  const { card, words, at, columns, style, wrap = 'wrap' } = props;
  const { id, orderNumber, receiptUrl } = card;
  const amount = moneyText(card);
  const facts = [
    ['Time', formatTimeOfDay(at, style.zone)],
    ['Payment', id],
    ['Client', card.clientName],
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
