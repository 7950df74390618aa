import { Box, Text } from 'ink';
import { columnsOf } from '../../base/text-columns.js';
import type { TillState } from './till-types.js';
import type { TillViewProps } from './till-view.js';
import { barOf, fitKeys, gap, keysOf, noticeLine } from './till-words.js';
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

interface NoticeProps extends Pick<TillViewProps, 'size' | 'style'> {
  readonly notice: TillState['notice'];
}

/** One line for what the cashier should know. */
export function Notice({ notice, size: { columns }, style: { colors } }: NoticeProps) {
  const line = noticeLine(notice, columns);
  if (!line) return <Row> </Row>;
  const { before, symbol, after, tone } = line;
  return <Row>{`${before}${colors[toneColors[tone]](symbol)}${after}`}</Row>;
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
