import { Box, Text, useInput } from 'ink';
import { useState } from 'react';
import type { Colors } from './colors.js';

export interface PromptProps {
  readonly label: string;
  /** Shown instead of every character typed: `•` for what nobody should read over a shoulder. */
  readonly mask?: string;
  /** Why the last answer was not taken. */
  readonly fault?: string | undefined;
  readonly colors: Colors;
  readonly onAnswer: (value: string) => void;
  readonly onInterrupt: () => void;
}

/** One line of input: typing, pasting, Backspace, Ctrl+U, Enter, Ctrl+C. */
export function Prompt({ label, mask, fault, colors, onAnswer, onInterrupt }: PromptProps) {
  const [value, setValue] = useState('');
  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) return onInterrupt();
    if (key.ctrl && input === 'u') return setValue('');
    if (key.backspace || key.delete) return setValue([...value].slice(0, -1).join(''));
    if (key.ctrl || key.meta || key.escape) return undefined;
    // What is pasted may come with the line break that ends it.
    const [typed = ''] = input.split(/[\r\n]/, 1);
    const next = value + typed.replace(/\p{Cc}/gu, '');
    setValue(next);
    if (key.return || typed.length < input.length) onAnswer(next.trim());
    return undefined;
  });
  const shown = mask === undefined ? value : mask.repeat([...value].length);
  return (
    <Box flexDirection="column">
      {fault && <Text>{colors.red(`✗ ${fault}`)}</Text>}
      <Text>{`${colors.bold(label)} ${shown}${colors.inverse(' ')}`}</Text>
    </Box>
  );
}
