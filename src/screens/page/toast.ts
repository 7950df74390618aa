import { announce, find } from './dom.js';

let undo: (() => void) | undefined;
let timer = 0;

/** Shows a message at the bottom of the page. With `onUndo`, it stays until it is dismissed or replaced. */
export function toast(text: string, onUndo?: () => void): void {
  const box = find('#toast');
  const button = find<HTMLButtonElement>('#toast [data-undo]');
  const line = find('#toast p');
  if (!box || !button || !line) return;
  undo = onUndo;
  button.hidden = !onUndo;
  line.textContent = text;
  announce(text);
  // Reopen the popover, so that it is above any dialog that was opened later.
  box.hidePopover();
  box.showPopover();
  clearTimeout(timer);
  if (!onUndo) timer = setTimeout(() => box.hidePopover(), 6000);
}

export function startToast(): void {
  const box = find('#toast');
  find('#toast [data-undo]')?.addEventListener('click', () => {
    box?.hidePopover();
    undo?.();
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') box?.hidePopover();
  });
}
