import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { columnsOf } from '../../base/text-columns.js';
import type { TillViewProps } from './till-view.js';
import { barOf, cut, fitKeys, gap, keysOf } from './till-words.js';
import { toneColors } from './tone-colors.js';

/** One line of the screen, however little room there is. */
export function Row({ children }: { readonly children: string }) {
  return (
    <Box height={1} flexShrink={0}>
      <Text wrap="truncate">{children}</Text>
    </Box>
  );
}

/** Who sells where, and whether the gateway answers. */
export function Bar({ state, size: { columns }, style: { colors }, cashier, at }: TillViewProps) {
  const [left, right] = barOf(state, { cashier, at, columns });
  const space = ' '.repeat(Math.max(1, columns - columnsOf(left) - columnsOf(right)));
  const end = state.away === undefined ? colors.dim(right) : colors.bold(right);
  return <Row>{`${colors.bold(left)}${space}${end}`}</Row>;
}

/** One line for what the cashier should know. */
export function Notice({ state, size: { columns }, style: { colors } }: TillViewProps) {
  const { notice, away } = state;
  const line =
    notice ??
    (away === undefined
      ? undefined
      : ({ tone: 'attention', symbol: '!', text: `${away} Asking again.` } as const));
  if (!line) return <Row> </Row>;
  const text = cut(escapeForeign(line.text), columns - 2);
  return <Row>{`${colors[toneColors[line.tone]](line.symbol)} ${text}`}</Row>;
}

/** The keys that count now. */
export function Keys({
  state,
  size: { columns },
  style: { colors },
}: Pick<TillViewProps, 'state' | 'size' | 'style'>) {
  return (
    <Box gap={gap} height={1} flexShrink={0} overflow="hidden">
      {fitKeys(keysOf(state), columns).map(({ key, does }) => (
        <Text key={key} wrap="truncate">{`${colors.bold(key)} ${colors.dim(does)}`}</Text>
      ))}
    </Box>
  );
}
