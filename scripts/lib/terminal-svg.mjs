// Draws screens of an xterm buffer as one SVG: blocks as shapes, everything else as text on a grid.

const cell = { width: 8.4, height: 18 };
const margin = 14;
const gap = 18;

const themes = {
  dark: { paper: '#15181e', ink: '#d8dee9', frame: '#2b303b' },
  light: { paper: '#ffffff', ink: '#24292f', frame: '#d0d7de' },
};

/** The 16 colours as most terminals have them. */
const palette = [
  '#000000 #c93434 #2f9e44 #c99700 #2f6fd0 #a347ba #1098ad #c8ccd4',
  '#6b7280 #e05252 #40c057 #e6b800 #5c92e8 #c678dd #3bc9db #ffffff',
].flatMap((row) => row.split(' '));

/** Copies the used rows of a screen, so that it can be drawn later. */
export function snapshot({ buffer: { active }, rows, cols }) {
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: cols }, (_, column) => readCell(line?.getCell(column)));
  });
  const isEmpty = (line) => line.every(({ glyph, paper }) => glyph === ' ' && paper === undefined);
  while (lines.length > 0 && isEmpty(lines.at(-1))) lines.pop();
  return lines;
}

function readCell(xtermCell) {
  const inverse = Boolean(xtermCell?.isInverse());
  return {
    glyph: xtermCell?.getChars() || ' ',
    ink: colorOf(xtermCell, 'Fg'),
    paper: inverse ? 'ink' : colorOf(xtermCell, 'Bg'),
    dim: Boolean(xtermCell?.isDim()),
    bold: Boolean(xtermCell?.isBold()),
  };
}

function colorOf(xtermCell, layer) {
  if (!xtermCell || xtermCell[`is${layer}Default`]()) return undefined;
  const value = xtermCell[`get${layer}Color`]();
  if (xtermCell[`is${layer}RGB`]()) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return palette[value];
  if (value > 231) return `#${(8 + (value - 232) * 10).toString(16).repeat(3)}`;
  const level = (step) => [0, 95, 135, 175, 215, 255][step].toString(16).padStart(2, '0');
  const cube = value - 16;
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}

/** Screens one below the other, each in its theme; the title is read to those who do not see them. */
export function drawScreens(title, screens) {
  const width = Math.max(...screens.map(({ lines }) => lines[0].length)) * cell.width + 2 * margin;
  let top = 0;
  const drawn = screens.map(({ lines, theme }) => {
    const height = lines.length * cell.height + 2 * margin;
    const screen = drawScreen(lines, themes[theme], { top, width, height });
    top += height + gap;
    return screen;
  });
  const size = `width="${round(width)}" height="${round(top - gap)}"`;
  const font = `font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} shape-rendering="crispEdges">
<title>${escapeXml(title)}</title>
${drawn.join('\n')}
</svg>
`;
}

function drawScreen(lines, theme, { top, width, height }) {
  const shapes = new Map();
  const add = (color, x, y, w, h) => {
    const path = `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`;
    shapes.set(color, (shapes.get(color) ?? '') + path);
  };
  const texts = [];
  lines.forEach((line, row) => {
    const y = margin + row * cell.height;
    for (const run of runsOf(line)) {
      const x = margin + run.start * cell.width;
      const length = run.glyphs.length * cell.width;
      const paper = run.paper === 'ink' ? theme.ink : run.paper;
      if (paper) add(paper, x, y, length, cell.height);
      drawRun({ run, x, y, length, theme, add, texts });
    }
  });
  const paths = [...shapes].map(([color, d]) => `<path fill="${color}" d="${d}"/>`);
  return `<g transform="translate(0 ${round(top)})">
<rect x="0.5" y="0.5" width="${round(width - 1)}" height="${round(height - 1)}" rx="8" fill="${theme.paper}" stroke="${theme.frame}"/>
${paths.join('\n')}
${texts.join('\n')}
</g>`;
}

const halves = { '█': [0, 1], '▀': [0, 0.5], '▄': [0.5, 0.5] };

function drawRun({ run, x, y, length, theme, add, texts }) {
  const ink = run.ink ?? theme.ink;
  if (run.isBlocks) {
    const [from, share] = halves[run.glyphs[0]];
    add(ink, x, y + from * cell.height, length, share * cell.height);
    return;
  }
  const text = run.glyphs.join('').trimEnd();
  if (text === '') return;
  const style = `${run.bold ? ' font-weight="bold"' : ''}${run.dim ? ' opacity="0.65"' : ''}`;
  const grid = `textLength="${round([...text].length * cell.width)}" lengthAdjust="spacingAndGlyphs"`;
  texts.push(
    `<text x="${round(x)}" y="${round(y + 13.5)}" fill="${ink}" ${grid} xml:space="preserve"${style}>${escapeXml(text)}</text>`,
  );
}

/** Neighbours of one look, blocks apart from letters; blanks between words stay within a run. */
function runsOf(line) {
  const runs = [];
  line.forEach((current, start) => {
    const isBlocks = current.glyph in halves;
    const look = [current.ink, current.paper, current.dim, current.bold, isBlocks].join();
    const key = isBlocks ? `${look},${current.glyph}` : look;
    const last = runs.at(-1);
    if (last?.key === key) last.glyphs.push(current.glyph);
    else runs.push({ ...current, key, start, isBlocks, glyphs: [current.glyph] });
  });
  return runs;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(value) {
  return Math.round(value * 100) / 100;
}
