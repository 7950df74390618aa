import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { filledHalves, type HalfCell } from './read-qr.js';

const program = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Time after which a missing screen fails the test, in milliseconds. A busy machine takes several seconds. */
const patience = 90_000;

/** The built program on a pseudo-terminal, whose output a terminal emulator without a window displays. */
export interface Terminal {
  /** Returns the text of the screen, without trailing spaces. */
  text(): string;
  /** Waits until the screen matches. Rejects with the screen if the program exits first. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Waits until a condition is true. It is tested whenever the screen changes. `label` describes it in errors. */
  until(condition: () => boolean, label: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Returns the screen as half cells, which are light (white) or not. */
  cells(): HalfCell[][];
  /** Resolves with the exit code when the program has exited. */
  exit(): Promise<number>;
  /** Kills the program if it is still running. */
  kill(): void;
}

/** Runs `msgsite` with these words on a new terminal. */
export function openTerminal(argv: readonly string[], options: TerminalOptions): Terminal {
  const { cwd, columns: cols = 80, rows = 24 } = options;
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...options.env };
  const screen = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const child = spawn(process.execPath, [program, ...argv], { cwd, env, cols, rows });
  const watchers = new Set<() => void>();
  let exitCode: number | undefined;
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  child.onData((data) => screen.write(data, changed));
  // The exit code is set only when the screen shows all output of the program.
  child.onExit((event) =>
    screen.write('', () => {
      exitCode = event.exitCode;
      changed();
    }),
  );

  function lines(): string[] {
    const { active } = screen.buffer;
    return Array.from({ length: screen.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    });
  }

  function until(condition: () => boolean, label: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (isLate = false) => {
        const isMet = condition();
        if (!isMet && !isLate && exitCode === undefined) return;
        watchers.delete(watcher);
        clearTimeout(late);
        if (isMet) resolve();
        else reject(new Error(`${label} did not appear. The screen:\n${lines().join('\n')}`));
      };
      const watcher = () => check();
      const late = setTimeout(check, patience, true);
      watchers.add(watcher);
      check();
    });
  }

  const text = () => lines().join('\n').trimEnd();
  return {
    text,
    until,
    waitFor: (pattern) => until(() => pattern.test(text()), String(pattern)),
    type: (keys) => child.write(keys),
    resize(columns, height) {
      screen.resize(columns, height);
      child.resize(columns, height);
    },
    cells() {
      const { active } = screen.buffer;
      return Array.from({ length: screen.rows }, (_, row) =>
        Array.from({ length: screen.cols }, (_, column) => {
          const cell = active.getLine(active.baseY + row)?.getCell(column);
          if (!cell) return { top: false, bottom: false };
          const { top, bottom } = filledHalves(cell.getChars() || ' ');
          const [ink, paper] = [isWhite(cell, 'Fg'), isWhite(cell, 'Bg')];
          return { top: top ? ink : paper, bottom: bottom ? ink : paper };
        }),
      );
    },
    async exit() {
      await until(() => exitCode !== undefined, 'The exit of the program');
      return exitCode ?? -1;
    },
    kill() {
      if (exitCode === undefined) child.kill('SIGKILL');
    },
  };
}

type Cell = NonNullable<
  ReturnType<
    NonNullable<
      ReturnType<InstanceType<typeof headless.Terminal>['buffer']['active']['getLine']>
    >['getCell']
  >
>;

/** Returns whether a colour is white. The default colours depend on a theme and are treated as dark. */
function isWhite(cell: Cell, layer: 'Fg' | 'Bg'): boolean {
  const color = layer === 'Fg' ? cell.getFgColor() : cell.getBgColor();
  const isRgb = layer === 'Fg' ? cell.isFgRGB() : cell.isBgRGB();
  const isPalette = layer === 'Fg' ? cell.isFgPalette() : cell.isBgPalette();
  return (
    (Boolean(isRgb) && color === 0xffffff) || (Boolean(isPalette) && [15, 231].includes(color))
  );
}
