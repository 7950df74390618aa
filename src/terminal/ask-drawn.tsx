import { render, Text } from 'ink';
import { AppError } from '../base/errors.js';
import { escapeForeign } from '../base/foreign-text.js';
import { Prompt } from './Prompt.js';
import type { Question, Terminal } from './question.js';
import { inkStreams } from './streams.js';

/** `ask` on a terminal that can be drawn on. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { stdin, stderr, signal, colors } = terminal;
  const { mask, check = () => undefined } = question;
  const { show = (answer) => mask?.repeat(answer.length) ?? answer } = question;
  // A provider's words may be part of question and fault.
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
