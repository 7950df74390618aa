import { find, findAll } from './dom.js';

/** Opens the data tables of charts while printing, in browsers that do not support the print style for it. */
function openOnPaper(): void {
  let opened: readonly HTMLElement[] = [];
  addEventListener('beforeprint', () => {
    opened = findAll('.chart-data:not([open])');
    for (const data of opened) data.toggleAttribute('open', true);
  });
  addEventListener('afterprint', () => {
    for (const data of opened) data.toggleAttribute('open', false);
  });
}

/** Shows a bar's label and value beside the pointer. The chart's table contains the same data. */
export function startTips(): void {
  openOnPaper();
  const tip = find('#tip');
  if (!tip) return;
  document.addEventListener('pointerover', ({ target, clientX, clientY }) => {
    const bar = target instanceof Element ? target.closest('[data-item]') : null;
    const cells = bar && rowBehind(bar);
    if (!cells) {
      tip.hidePopover();
      return;
    }
    tip.replaceChildren(...cells.map(tipLine));
    tip.showPopover();
    tip.style.left = `${Math.min(clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.max(8, clientY - tip.offsetHeight - 12)}px`;
  });
}

function rowBehind(bar: Element): readonly Element[] | undefined {
  const row = bar.closest('.plot')?.querySelectorAll('tbody tr')[
    Number(bar.getAttribute('data-item'))
  ];
  return row && [...row.children];
}

function tipLine(cell: Element): HTMLElement {
  const line = document.createElement(cell.tagName === 'TH' ? 'b' : 'div');
  const parts = cell.children.length > 0 ? [...cell.children] : [cell];
  for (const [index, part] of parts.entries()) {
    if (index > 0) line.append(document.createElement('br'));
    line.append(part.textContent ?? '');
  }
  return line;
}
