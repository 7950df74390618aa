/**
 * A script that runs in a page and returns the faults of its charts as sentences: overlapping or cut-off texts, missing
 * labels, and drawings outside their plot.
 */
export const chartFaults = `(() => {
  const faults = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isShown = (part) => part === null || (getComputedStyle(part).display !== 'none' && isShown(part.parentElement));
  const isSeen = (part) => part.textContent.trim() !== '' && isShown(part);
  const boxOf = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const own = part instanceof HTMLElement && part.matches('div') ? part.getBoundingClientRect() : undefined;
    // A label that is too long is clipped at the edges of its box.
    return own
      ? { left: Math.max(left, own.left), right: Math.min(right, own.right), top: Math.max(top, own.top), bottom: Math.min(bottom, own.bottom) }
      : { left, right, top, bottom };
  };
  const meet = (a, b) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const name = (part) => '“' + part.textContent.slice(0, 24) + '”';

  if (document.documentElement.scrollWidth > innerWidth) faults.push('The page is wider than the window.');
  for (const card of all('.card')) {
    const title = card.querySelector('h2, h3')?.textContent ?? '';
    const edge = card.getBoundingClientRect();
    const say = (text) => faults.push(title + ': ' + text);
    for (const part of all('.axis, .point-values text, .bar-label, .bar-value, .share, .scale-note', card).filter(isSeen)) {
      const { left, right } = boxOf(part);
      if (left < edge.left - 0.5 || right > edge.right + 0.5) say(name(part) + ' is outside its card.');
    }
    for (const plot of all('.plot', card)) {
      const labels = all('.axis-labels', plot).filter(isShown);
      if (labels.length !== 1) say(labels.length + ' rows of labels are shown.');
      const shown = labels.flatMap((row) => all('.axis', row)).filter(isSeen);
      const [names] = [all('tbody th', plot).map((cell) => cell.textContent)];
      for (const end of [names[0], names.at(-1)]) {
        if (end !== '–' && end.trim() !== '' && !shown.some((label) => label.textContent === end)) say('“' + end + '” is not shown.');
      }
      const values = all('.point-values text', plot).filter(isSeen);
      const ticks = all('.scale span', plot).filter(isSeen);
      for (const group of [[...shown, ...values], ticks]) {
        const boxes = group.map(boxOf);
        for (let a = 0; a < group.length; a += 1) {
          for (let b = a + 1; b < group.length; b += 1) {
            if (meet(boxes[a], boxes[b])) say(name(group[a]) + ' overlaps ' + name(group[b]) + '.');
          }
        }
      }
      if (values.length > 0 && values.length !== all('tbody tr td:nth-child(2)', plot).filter((cell) => cell.textContent !== '–').length) {
        say('Only some values are shown.');
      }
      const lines = all('.grid', plot).map((line) => line.getBoundingClientRect().top);
      for (const [index, tick] of ticks.reverse().entries()) {
        const { top, bottom } = boxOf(tick);
        if (Math.abs((top + bottom) / 2 - lines[index]) > 2) say(name(tick) + ' is not at its line.');
      }
      const [high, low] = [Math.min(...lines), Math.max(...lines)];
      const left = plot.querySelector('.canvas').getBoundingClientRect().left;
      for (const bar of all('.bar', plot)) {
        const box = bar.getBoundingClientRect();
        if (box.top < high - 4.5 || box.bottom > low + 4.5) say('A bar is outside the plot.');
        if (box.left < left - 2 || box.right > edge.right) say('A bar is outside the plot at its side.');
      }
    }
  }
  return faults;
})()`;
