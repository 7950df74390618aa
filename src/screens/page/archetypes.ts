import { data, find, findAll, onClick, press, turnOn, words, write } from './dom.js';
import { startScenarioAction } from './scenario.js';
import { toast } from './toast.js';

/** Switches a document between the marked changes and the clean text. */
function startDocument(): void {
  onClick('[data-mode]', (button) => {
    const view = button.closest<HTMLElement>('.document');
    if (view) view.dataset.viewMode = button.dataset.mode ?? '';
    press(findAll('[data-mode]'), button);
  });
}

/** Shows one step of a wizard at a time. */
function startWizard(): void {
  const steps = findAll('.wizard-step');
  const marks = findAll('#wizard .stepper li');
  if (steps.length === 0) return;
  let at = steps.findIndex(({ classList }) => classList.contains('on'));
  const go = (to: number, focus: boolean): void => {
    at = Math.max(0, Math.min(to, steps.length - 1));
    turnOn(steps, at);
    for (const [index, mark] of marks.entries()) {
      mark.className = index < at ? 'past' : index === at ? 'now' : 'later';
      mark.ariaCurrent = index === at ? 'step' : null;
    }
    const count = words(data.words.step, { n: at + 1, total: steps.length });
    write(find('[data-wizard-status]'), count);
    const [back, next, done] = findAll<HTMLButtonElement>('[data-wizard]');
    if (back) back.disabled = at === 0;
    if (next) next.hidden = at === steps.length - 1;
    if (done) done.hidden = at < steps.length - 1;
    if (focus) steps[at]?.focus();
  };
  onClick('[data-go]', ({ dataset }) => go(Number(dataset.go), true));
  onClick('[data-wizard]', (button) => {
    if (button.dataset.wizard !== 'done') go(at + Number(button.dataset.wizard), true);
    else if (data.scenario) startScenarioAction();
    else toast(words(data.words.application, { action: button.textContent ?? '' }));
  });
  go(at, false);
}

/** Shows one month of a calendar at a time. */
function startCalendar(): void {
  const months = findAll('[data-month-grid]');
  const buttons = findAll<HTMLButtonElement>('[data-month]');
  let at = 0;
  const turn = (by: number): void => {
    at += by;
    turnOn(months, at);
    for (const button of buttons) {
      button.disabled = months[at + Number(button.dataset.month)] === undefined;
    }
  };
  onClick('[data-month]', ({ dataset }) => turn(Number(dataset.month)));
  // A search moves to the first month that has a result.
  document.addEventListener('msgsite:narrowed', () => {
    const hits = months.map((month) => find('.event:not([hidden])', month) !== null);
    if (!hits[at] && hits.includes(true)) turn(hits.indexOf(true) - at);
  });
  turn(0);
}

/** Highlights a map point together with its list entry. */
function startMap(): void {
  document.addEventListener('pointerover', ({ target }) => {
    if (!(target instanceof Element)) return;
    const part = target.closest<HTMLElement | SVGElement>('[data-point], [data-point-item]');
    const index = part?.dataset.point ?? part?.dataset.pointItem;
    for (const element of findAll<HTMLElement | SVGElement>('[data-point], [data-point-item]')) {
      const other = element.dataset.point ?? element.dataset.pointItem;
      element.classList.toggle('lit', other === index);
    }
  });
}

export function startArchetypes(): void {
  startDocument();
  startWizard();
  if (find('#calendar')) startCalendar();
  if (find('#map')) startMap();
}
