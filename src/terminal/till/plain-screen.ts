import { createInterface } from 'node:readline';
import type { TillFace, TillFaceOptions } from './till-face.js';
import { spokenChanges } from './till-speech.js';
import type { TillState } from './till-types.js';

/** Characters of a line that the till reads. */
const longestLine = 1_000;

/**
 * The till in lines: what changes is said once, nothing is drawn over, and the cashier answers with lines. For
 * screen readers, and for terminals that cannot be painted on.
 */
export function openPlainScreen(options: TillFaceOptions): TillFace {
  const { stdin, terminal, about, onEvent, onGone } = options;
  const lines = createInterface({ input: stdin, terminal: false });
  let last: TillState | undefined;
  let isOpen = true;
  lines.on('line', (text) => {
    if (isOpen) onEvent({ on: 'line', text: text.slice(0, longestLine) });
  });
  lines.on('close', () => {
    if (isOpen) onGone();
  });
  return {
    show(state) {
      const said = isOpen ? spokenChanges(last, state, about(state).doubtsCommand) : [];
      last = state;
      if (said.length > 0) terminal.write(`${said.join('\n')}\n`);
    },
    bell() {
      if (isOpen) terminal.write('\u0007');
    },
    close() {
      isOpen = false;
      lines.close();
    },
  };
}
