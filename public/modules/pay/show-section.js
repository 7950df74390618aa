/**
 * Shows an order as it was drawn anew, in the section that shows it already. The two elements at its beginning stay
 * and change their text: that is what is read aloud, once.
 *
 * @param {HTMLElement} section
 * @param {HTMLElement} next
 */
export function showSection(section, next) {
  const hadFocus = section.contains(document.activeElement);
  for (const { name } of [...section.attributes]) section.removeAttribute(name);
  for (const { name, value } of next.attributes) section.setAttribute(name, value);
  sayStatus(section, statusOf(next)?.textContent ?? '');
  showLost(section, false);
  const kept = [statusOf(section), lostOf(section)];
  for (const child of [...section.children]) {
    if (!kept.includes(/** @type {HTMLElement} */ (child))) child.remove();
  }
  for (const child of [...next.children]) {
    if (child !== statusOf(next) && child !== lostOf(next)) section.append(child);
  }
  if (hadFocus && !section.contains(document.activeElement)) section.focus();
}

/**
 * @param {HTMLElement} section
 * @param {string} text
 */
function sayStatus(section, text) {
  const status = statusOf(section);
  if (status && status.textContent !== text) status.textContent = text;
}

/**
 * Says that the connection is lost, or that it is not.
 *
 * @param {HTMLElement} section
 * @param {boolean} isLost
 */
export function showLost(section, isLost) {
  const element = lostOf(section);
  const text = isLost ? (section.dataset.lost ?? '') : '';
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} section @returns {HTMLElement | null} */
function statusOf(section) {
  return section.querySelector(':scope > .order-status');
}

/** @param {HTMLElement} section @returns {HTMLElement | null} */
function lostOf(section) {
  return section.querySelector(':scope > .order-lost');
}
