import { Box, render, Text, useInput } from 'ink';
import { useRef, useState } from 'react';
import { AppError } from '../base/errors.js';
import { escapeForeign } from '../base/foreign-text.js';
import type { Colors } from './colors.js';
import type { Question, Terminal } from './question.js';
import { containsInterrupt, inkStreams } from './streams.js';

/** Asks a question on a terminal that supports drawing. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { stdin, stderr, signal, colors } = terminal;
  const { mask, check = () => undefined } = question;
  const { show = (answer) => mask?.repeat(answer.length) ?? answer } = question;
  // The question and the error message may contain text from a provider.
  const label = escapeForeign(question.label);
  const escaped = (text: string | undefined) => (text === undefined ? text : escapeForeign(text));
  let fault = escaped(question.fault);
  const app = render(null, inkStreams(stdin, stderr));
  let attempt = 0;
  try {
    for (;;) {
      const answer = await new Promise<string | undefined>((resolve) => {
        const interrupt = () => resolve(undefined);
        signal.addEventListener('abort', interrupt, { once: true });
        if (signal.aborted) interrupt();
        const props = { label, fault, colors, onAnswer: resolve, onInterrupt: interrupt };
        app.rerender(<Prompt key={attempt++} {...props} {...(mask ? { mask } : {})} />);
      });
      if (answer === undefined) throw new AppError('interrupted', 'Interrupted.');
      fault = escaped(check(answer));
      if (fault !== undefined) continue;
      app.rerender(<Text>{`${colors.bold(label)} ${escapeForeign(show(answer))}`}</Text>);
      return answer;
    }
  } finally {
    app.unmount();
    await app.waitUntilExit();
  }
}

interface PromptProps {
  readonly label: string;
  /** Shown instead of each typed character, such as `•` for a secret. */
  readonly mask?: string;
  /** Reason why the last answer was rejected. */
  readonly fault?: string | undefined;
  readonly colors: Colors;
  readonly onAnswer: (value: string) => void;
  readonly onInterrupt: () => void;
}

/** Maximum length of a typed answer, in characters. Further characters are dropped. */
const maxAnswerLength = 1_000;

/** Draws an input line that supports typing, pasting, Backspace, Ctrl+U, Enter and Ctrl+C. */
export function Prompt({ label, mask, fault, colors, onAnswer, onInterrupt }: PromptProps) {
  const [value, show] = useState('');
  // During fast typing, ink calls the handler of an earlier render, whose state is out of date.
  const typedSoFar = useRef('');
  const setValue = (next: string) => {
    typedSoFar.current = next;
    show(next);
  };
  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) return onInterrupt();
    if (containsInterrupt(input)) return onInterrupt();
    if (key.ctrl && input === 'u') return setValue('');
    if (key.backspace || key.delete) return setValue([...typedSoFar.current].slice(0, -1).join(''));
    if (key.ctrl || key.meta || key.escape) return undefined;
    // A pasted line may end with a line break.
    const [typed = ''] = input.split(/[\r\n]/, 1);
    const next = (typedSoFar.current + typed.replace(/\p{Cc}/gu, '')).slice(0, maxAnswerLength);
    setValue(next);
    if (key.return || typed.length < input.length) onAnswer(next.trim());
    return undefined;
  });
  const cursor = colors.inverse(' ');
  const shown = mask === undefined ? escapeForeign(value) : mask.repeat([...value].length);
  return (
    <Box flexDirection="column">
      {fault && <Text>{colors.red(`✗ ${fault}`)}</Text>}
      <Text>{`${colors.bold(label)} ${shown}${cursor === ' ' ? '_' : cursor}`}</Text>
    </Box>
  );
}
