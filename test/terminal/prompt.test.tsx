import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { Prompt } from '../../src/terminal/ask-drawn.js';
import { createColors } from '../../src/terminal/colors.js';

function open(mask?: string) {
  const answers: string[] = [];
  let interrupted = 0;
  const { stdin, lastFrame, unmount } = render(
    <Prompt
      label="Code:"
      {...(mask ? { mask } : {})}
      colors={createColors(false)}
      onAnswer={(answer) => answers.push(answer)}
      onInterrupt={() => {
        interrupted += 1;
      }}
    />,
  );
  return { answers, interrupted: () => interrupted, stdin, frame: () => lastFrame(), unmount };
}

/** Lets ink draw and start reading keys. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the prompt', () => {
  it('accepts keys that are typed faster than it is drawn', async () => {
    const { stdin, answers, unmount } = open();
    await turn();
    for (const key of [...'123456', '\r']) stdin.write(key);
    expect(answers).toEqual(['123456']);
    unmount();
  });

  it.each(['1500\u0003', '\u001b\u0003', '1500\r\u0003'])(
    'is interrupted by Ctrl+C even if it arrives together with other keys: %j',
    async (keys) => {
      const { stdin, answers, interrupted, unmount } = open();
      await turn();
      stdin.write(keys);
      expect([interrupted(), answers]).toEqual([1, []]);
      unmount();
    },
  );

  it('accepts a pasted line with its line break', async () => {
    const { stdin, answers, unmount } = open();
    await turn();
    stdin.write(' 8701 123 45 67\n');
    expect(answers).toEqual(['8701 123 45 67']);
    unmount();
  });

  it('deletes one character on Backspace and all on Ctrl+U, and ignores arrow keys', async () => {
    const { stdin, answers, unmount } = open();
    await turn();
    for (const key of ['ab', '\u0015', '12ё', '\u007f', '\u001b[D', '3', '\r']) stdin.write(key);
    expect(answers).toEqual(['123']);
    unmount();
  });

  it('shows a masked answer as dots', async () => {
    const { stdin, frame, unmount } = open('•');
    await turn();
    stdin.write('1234');
    await turn();
    expect(frame()).toBe('Code: ••••_');
    unmount();
  });

  it('is interrupted by Ctrl+C and Ctrl+D', async () => {
    const { stdin, interrupted, unmount } = open();
    await turn();
    stdin.write('\u0003');
    stdin.write('\u0004');
    expect(interrupted()).toBe(2);
    unmount();
  });
});
