import { Box, Text } from 'ink';
import type { QrDrawing } from '../qr.js';

/** A drawn code, never wrapped or squeezed: half a code is worse than none. */
export function QrCode({ lines, columns }: QrDrawing) {
  return (
    <Box flexDirection="column" flexShrink={0} width={columns}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place.
        <Text key={row} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  );
}
