/**
 * Shows a new drawing of an order in the section that already shows it. The first two elements stay and only change
 * their text, because they are read aloud.
 */
export function showSection(section: HTMLElement, next: HTMLElement): void {
  const hadFocus = section.contains(document.activeElement);
  for (const { name } of [...section.attributes]) section.removeAttribute(name);
  for (const { name, value } of next.attributes) section.setAttribute(name, value);
  setText(statusOf(section), statusOf(next)?.textContent ?? '');
  showLost(section, false);
  const kept: (Element | null)[] = [statusOf(section), lostOf(section)];
  for (const child of [...section.children]) if (!kept.includes(child)) child.remove();
  for (const child of [...next.children]) {
    if (child !== statusOf(next) && child !== lostOf(next)) section.append(child);
  }
  if (hadFocus && !section.contains(document.activeElement)) section.focus();
}

/** Shows that the connection is lost, or removes that notice. */
export function showLost(section: HTMLElement, isLost: boolean): void {
  setText(lostOf(section), isLost ? (section.dataset.lost ?? '') : '');
}

/** Setting the same text again would read it aloud again. */
function setText(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function statusOf(section: HTMLElement): Element | null {
  return section.querySelector(':scope > .order-status');
}

function lostOf(section: HTMLElement): Element | null {
  return section.querySelector(':scope > .order-lost');
}
