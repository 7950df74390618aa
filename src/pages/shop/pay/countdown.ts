/** `252000` -> `4:12`, with hours if there are any. */
function formatLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const ofHour = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${ofHour}:${two(seconds % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Writes how long the code of an order can still be paid; `now` is the server's time. */
export function showLeft(section: HTMLElement, now: number): void {
  const element = section.querySelector<HTMLElement>('.order-left');
  const left = Date.parse(section.dataset.expires ?? '') - now;
  if (!element || Number.isNaN(left)) return;
  const { left: words = '', checking = '' } = element.dataset;
  element.textContent = left > 0 ? words.replace('{}', formatLeft(left)) : checking;
}
