import { data, dialog, find, findAll, onClick, turnOn, write } from './dom.js';

const key = `msgsite:seen:${data.name}`;

/** Records that the slides were shown. Returns true if they were shown before or if storage is unavailable. */
function markSeen(): boolean {
  try {
    const before = localStorage.getItem(key) !== null;
    localStorage.setItem(key, '1');
    return before;
  } catch {
    return true;
  }
}

export function startOnboarding(): void {
  const box = dialog('onboarding');
  if (!box) return;
  const slides = findAll('.slide', box);
  const dots = findAll('.dots i', box);
  let at = 0;
  const turn = (to: number): void => {
    at = Math.max(0, Math.min(to, slides.length - 1));
    turnOn(slides, at);
    turnOn(dots, at);
    box.setAttribute('aria-labelledby', `slide-${at}`);
    write(find('.slide-count', box), `${at + 1} / ${slides.length}`);
    const last = at === slides.length - 1;
    show('[data-slide="-1"]', at > 0);
    show('[data-slide="1"]', !last);
    show('[value="done"]', last);
  };
  const show = (selector: string, on: boolean): void => {
    const button = find(selector, box);
    if (button) button.hidden = !on;
  };
  onClick('[data-slide]', ({ dataset }) => {
    turn(at + Number(dataset.slide));
    find('.actions .primary:not([hidden])', box)?.focus();
  });
  onClick('[data-tour]', () => {
    turn(0);
    box.showModal();
  });
  turn(0);
  if (data.welcome && !markSeen()) box.showModal();
}
