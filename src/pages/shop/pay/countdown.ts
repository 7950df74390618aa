import { formatTimeLeft } from '../../../words/formats.js';

/** Shows how long the code of an order is still valid; `now` is the server's time. */
export function showLeft(section: HTMLElement, now: number): void {
  const element = section.querySelector<HTMLElement>('.order-left');
  const left = Date.parse(section.dataset.expires ?? '') - now;
  if (!element || Number.isNaN(left)) return;
  const { left: words = '', checking = '' } = element.dataset;
  element.textContent = left > 0 ? words.replace('{}', formatTimeLeft(left)) : checking;
}
