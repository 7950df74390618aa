// The line icons of the chat, in the color of the surrounding text.

const paths = {
  back: 'M19 12H5M11 6l-6 6 6 6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M17.5 11a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0M16 16l4.500 4.500',
  send: 'M4.500 12 4 4.500 20.500 12 4 19.500ZM4.500 12H12',
  smile:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M8.500 14.500c2 2.300 5 2.300 7 0M9 9.500h.01M15 9.500h.01',
  sticker: 'M5 20V11a7 7 0 0 1 14 0v4l-5 5ZM14 20v-3a2 2 0 0 1 2-2h3M10 11h.01M14 11h.01',
  down: 'M12 5v14M6 13l6 6 6-6',
  clock: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0M12 8v4.500l3 1.500',
  check: 'M5 13l4.500 4.500L19.500 7',
  checks: 'M2 13l4.500 4.500L16 8M11 16.500l1 1L22 8',
  alert: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M12 7.500v5.500M12 16.500h.01',
  group:
    'M12.500 8.500a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0M2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M15 5.300a3.500 3.500 0 0 1 0 6.400M17.500 14.600c2.200.8 3.600 2.600 4 5.400',
  channel: 'M4 10v4h3l7 5V5L7 10ZM18 9.500a4 4 0 0 1 0 5',
  more: 'M9 6l6 6-6 6',
};

const svg = 'http://www.w3.org/2000/svg';

/** @typedef {keyof typeof paths} IconName */

/**
 * @param {IconName} name
 * @param {string} [className]
 */
export function icon(name, className = '') {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('class', `icon ${className}`.trim());
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', paths[name]);
  element.append(path);
  return element;
}
