import { h } from '../shared/dom.ts';
import { errorLine, type Field, showMessages } from './fields.ts';
import { type DayHours, dayCodes, parseHours, writeHours } from './hours.ts';
import type { Words } from './words/en.ts';

/** The hours of the first day that is switched on. */
const usual = { from: '09:00', to: '18:00' };

/**
 * Creates a field for opening hours: a switch and two times for each day. A text that is not in that form, such as one in
 * the owner's own words, is shown as it is and can be replaced.
 */
export function hoursField(name: string, { shop }: Words): Field {
  const error = errorLine(name);
  const own = h('input', {
    class: 'input',
    id: name,
    name,
    maxlength: 500,
    'aria-label': shop.hours,
    'aria-describedby': `${name}-hint ${error.id}`,
  });
  const days = dayCodes.map((code, index) =>
    dayRow(shop.days[index] ?? code, { opens: shop.opens, closes: shop.closes }, () => copy(index)),
  );
  const week = h(
    'div',
    { class: 'week' },
    days.map((day) => day.element),
  );
  const hint = h('p', { class: 'hint', id: `${name}-hint` });
  const change = h('button', { class: 'button quiet', type: 'button', onclick: () => toggle() });
  const element = h(
    'fieldset',
    { class: 'field' },
    h('legend', { class: 'label', text: shop.hours }),
    hint,
    week,
    own,
    change,
    error,
  );
  let isOwn = false;

  const readWeek = () => writeHours(days.map((day) => day.read()));
  const read = () => (isOwn ? own.value : readWeek());

  const draw = () => {
    week.hidden = isOwn;
    own.hidden = !isOwn;
    hint.textContent = isOwn ? shop.ownHoursHint : shop.hoursHint;
    change.textContent = isOwn ? shop.chooseDays : shop.ownHours;
  };

  /** A day that is switched on opens like the one before it. */
  const copy = (index: number) => {
    const before = days.slice(0, index).findLast((day) => day.read());
    days[index]?.show(before?.read() ?? usual);
  };

  const show = (text: string) => {
    const parsed = parseHours(text);
    isOwn = parsed === undefined;
    own.value = text;
    for (const [index, day] of days.entries()) day.show(parsed?.[index]);
    draw();
  };

  const toggle = () => {
    own.value = isOwn ? own.value : readWeek();
    isOwn = !isOwn;
    draw();
    element.dispatchEvent(new Event('input', { bubbles: true }));
    if (isOwn) own.focus();
    else days[0]?.focus();
  };

  return {
    name,
    label: shop.hours,
    element,
    raw: read,
    read,
    show: (value) => show(String(value)),
    problems: () => [],
    showErrors: (errors) => showMessages(error, [own], errors),
  };
}

function dayRow(
  label: string,
  { opens, closes }: { opens: string; closes: string },
  switchedOn: () => void,
) {
  const box = h('input', {
    type: 'checkbox',
    onchange: () => {
      if (box.checked) switchedOn();
      else draw();
    },
  });
  const from = h('input', { class: 'input', type: 'time', 'aria-label': `${label}, ${opens}` });
  const to = h('input', { class: 'input', type: 'time', 'aria-label': `${label}, ${closes}` });
  const times = h('span', { class: 'day-times' }, from, '–', to);
  const draw = () => {
    times.hidden = !box.checked;
  };
  return {
    element: h('div', { class: 'day' }, h('label', { class: 'check' }, box, label), times),
    focus: () => box.focus(),
    read: (): DayHours =>
      box.checked && from.value && to.value ? { from: from.value, to: to.value } : undefined,
    show(hours: DayHours) {
      box.checked = hours !== undefined;
      from.value = hours?.from ?? '';
      to.value = hours?.to ?? '';
      draw();
    },
  };
}
