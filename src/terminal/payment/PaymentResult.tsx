import { Box, Text } from 'ink';
import { formatTenge } from '../money.js';
import { formatTimeOfDay } from '../time.js';
import { bannerLines } from './banner.js';
import type { PaymentCard, ResultWords } from './payment-card.js';
import type { ScreenStyle } from './style.js';

export interface PaymentResultProps {
  readonly card: PaymentCard;
  readonly words: ResultWords;
  /** When it was learned; milliseconds since the epoch. */
  readonly at: number;
  readonly columns: number;
  readonly style: ScreenStyle;
}

/** What stays on the screen when the waiting has ended. */
export function PaymentResult({ card, words, at, columns, style }: PaymentResultProps) {
  const { id, orderNumber, receiptUrl } = card;
  const amount = formatTenge(card.amount);
  const facts = [
    ['Time', formatTimeOfDay(at, style.zone)],
    ['Payment', id],
    ['Client', card.clientName],
    ['Order', orderNumber],
    ['Receipt', words.kind === 'success' ? receiptUrl : undefined],
  ];
  return (
    <Box flexDirection="column" width={columns}>
      {bannerLines({ words, amount, columns, depth: style.depth }).map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place.
        <Text key={row} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
      <Text> </Text>
      <Text>{words.reason}</Text>
      {facts.map(
        ([name, value]) =>
          value && <Text key={name}>{`${style.colors.dim((name ?? '').padEnd(9))}${value}`}</Text>,
      )}
    </Box>
  );
}
