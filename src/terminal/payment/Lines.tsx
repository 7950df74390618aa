import { Box, Text } from 'ink';

export interface LinesProps {
  readonly lines: readonly string[];
  readonly columns: number;
}

/** Lines of a drawing, never wrapped or squeezed: half a code is worse than none. */
export function Lines({ lines, columns }: LinesProps) {
  return (
    <Box flexDirection="column" flexShrink={0} width={columns}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place.
        <Text key={row} wrap="truncate">
          {line || ' '}
        </Text>
      ))}
    </Box>
  );
}
