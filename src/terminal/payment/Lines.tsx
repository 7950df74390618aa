import { Box, Text } from 'ink';

export interface LinesProps {
  readonly lines: readonly string[];
  readonly columns: number;
}

/** Draws lines without wrapping or shrinking them, because a partial code is useless. */
export function Lines({ lines, columns }: LinesProps) {
  return (
    <Box flexDirection="column" flexShrink={0} width={columns}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity.
        <Text key={row} wrap="truncate">
          {line || ' '}
        </Text>
      ))}
    </Box>
  );
}
