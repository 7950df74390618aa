import { renderToString } from 'ink';
import { sizeOf } from '../streams.js';
import { TillView } from './TillView.js';
import type { TillFace, TillFaceOptions } from './till-face.js';
import { createKeyReader } from './till-keys.js';
import type { TillState } from './till-types.js';

const csi = '\u001b[';

/** Opens the alternate screen, hides the cursor and enables bracketed paste. */
const enter = `${csi}?1049h${csi}?25l${csi}?2004h`;
const leave = `${csi}0m${csi}?2004l${csi}?25h${csi}?1049l`;
/** Synchronized output: the terminal shows a frame only when it is complete. Other terminals ignore these sequences. */
const begin = `${csi}?2026h`;
const end = `${csi}?2026l`;

type RawInput = TillFaceOptions['stdin'] & { setRawMode?(isRaw: boolean): unknown };

/**
 * Opens the till in full-screen mode. ink lays out each frame, but only changed lines are written, so that the window
 * does not flicker.
 */
export function openFullScreen(options: TillFaceOptions): TillFace {
  const { terminal, style, about, onEvent, onGone } = options;
  const stdin: RawInput = options.stdin;
  const read = createKeyReader();
  let shown: readonly string[] = [];
  let last: TillState | undefined;
  let isScheduled = false;
  let isOpen = true;

  function draw(): void {
    isScheduled = false;
    if (!isOpen || !last) return;
    const size = sizeOf(terminal);
    const view = <TillView state={last} size={size} style={style()} {...about(last)} />;
    const lines = renderToString(view, { columns: size.columns }).split('\n').slice(0, size.rows);
    const changes = Array.from({ length: Math.max(lines.length, shown.length) }, (_, row) =>
      lines[row] === shown[row] ? '' : `${csi}${row + 1};1H${csi}2K${lines[row] ?? ''}`,
    ).join('');
    shown = lines;
    if (changes !== '') terminal.write(`${begin}${changes}${end}`);
  }

  /** Redraws everything, for example after a resize. */
  function drawAll(): void {
    if (!isOpen) return;
    shown = [];
    terminal.write(`${csi}0m${csi}H${csi}2J`);
    draw();
  }

  function readKeys(chunk: Buffer | string): void {
    for (const key of read(chunk.toString())) {
      if (key.name === 'redraw') drawAll();
      else onEvent({ on: 'key', key });
    }
  }

  terminal.write(enter);
  stdin.setRawMode?.(true);
  // The bytes of a character may arrive in two chunks.
  stdin.setEncoding('utf8');
  stdin.on('data', readKeys);
  stdin.on('end', onGone);
  terminal.on('resize', drawAll);

  return {
    show(state) {
      last = state;
      // All changes in one turn of the event loop are drawn together.
      if (!isScheduled) setImmediate(draw);
      isScheduled = true;
    },
    bell() {
      if (isOpen) terminal.write('\u0007');
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      stdin.off('data', readKeys);
      stdin.off('end', onGone);
      terminal.off('resize', drawAll);
      stdin.setRawMode?.(false);
      stdin.pause();
      terminal.write(leave);
    },
  };
}
