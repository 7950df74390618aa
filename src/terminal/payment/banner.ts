import { bigText } from '../big-text.js';
import type { ColorDepth } from '../capabilities.js';
import type { ResultKind, ResultWords } from './payment-card.js';

/**
 * Ink and paper of each result. Exact colours where the terminal has 256, so that a theme cannot
 * make green look like yellow; bold is left out, as it turns black into grey on some terminals.
 */
const paints: Readonly<Record<ResultKind, Readonly<Record<'16' | '256', string>>>> = {
  success: { '16': '30;42', '256': '38;5;16;48;5;41' },
  returned: { '16': '30;46', '256': '38;5;16;48;5;152' },
  failed: { '16': '97;41', '256': '38;5;231;48;5;160' },
  expired: { '16': '30;43', '256': '38;5;16;48;5;220' },
  unknown: { '16': '97;44', '256': '38;5;231;48;5;25' },
};

/** What the edge is made of: results differ in shape, too, for those who see no colours. */
const edges: Readonly<Record<ResultKind, string>> = {
  success: '═',
  returned: '─',
  failed: '╳',
  expired: '┄',
  unknown: '?',
};

const widest = 76;

export interface BannerOptions {
  readonly words: ResultWords;
  /** `1 500 ₸` */
  readonly amount: string;
  readonly columns: number;
  readonly depth: ColorDepth;
}

/** The result in letters that can be read across a counter: lines of equal width. */
export function bannerLines({ words, amount, columns, depth }: BannerOptions): string[] {
  const { kind, title, symbol } = words;
  const width = Math.min(columns, widest);
  const large = bigText(title, width - 4) ?? [title];
  const edge = edges[kind].repeat(width);
  const facts = `${symbol} ${title}  ${amount}`;
  const lines = [edge, '', ...large, '', facts, edge].map((line) => centred(line, width));
  if (depth === 0) return lines.map((line) => line.trimEnd());
  const paint = paints[kind][depth === 16 ? '16' : '256'];
  return lines.map((line) => `\u001b[${paint}m${line}\u001b[0m`);
}

function centred(line: string, width: number): string {
  const left = Math.max(0, Math.floor((width - line.length) / 2));
  return `${' '.repeat(left)}${line}`.padEnd(width);
}
