/**
 * `252000` -> `4:12`; hours are written where there are any.
 *
 * @param {number} milliseconds
 */
function formatLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const ofHour = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${ofHour}:${two(seconds % 60)}`;
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, '0');
}

/**
 * Writes how long the code of an order can still be paid.
 *
 * @param {HTMLElement} section
 * @param {number} now the server's time
 */
export function showLeft(section, now) {
  const element = /** @type {HTMLElement | null} */ (section.querySelector('.order-left'));
  const left = Date.parse(section.dataset.expires ?? '') - now;
  if (!element || Number.isNaN(left)) return;
  const { left: words = '', checking = '' } = element.dataset;
  element.textContent = left > 0 ? words.replace('{}', formatLeft(left)) : checking;
}
