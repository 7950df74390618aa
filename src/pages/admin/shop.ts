import { h } from '../shared/dom.ts';
import { createChecks } from './checks.ts';
import { selectField, textField } from './fields.ts';
import { hoursField } from './hours-field.ts';
import type { ViewOptions } from './parts.ts';
import { showRecordForm } from './record-form.ts';
import { showSettings } from './settings.ts';
import type { Words } from './words/en.ts';

const languages = [
  { value: 'en', label: 'English' },
  { value: 'ru', label: 'Русский' },
  { value: 'kk', label: 'Қазақша' },
];

/** The shop's details and the top of its front page, each in a form that is saved on its own. */
export function showShop(options: ViewOptions) {
  const { words, place } = options;
  const parts = [
    { place: h('section', { 'aria-label': words.shop.details }), show: showDetails },
    { place: h('section', { 'aria-label': words.settings.heading }), show: showSettings },
  ];
  place.replaceChildren(...parts.map((part) => part.place));
  const forms = parts.map((part) => ({
    ...part.show({ ...options, place: part.place }),
    hasFocus: () => part.place.contains(document.activeElement),
  }));
  return {
    title: words.frame.shop,
    isDirty: () => forms.some((form) => form.isDirty()),
    save: () =>
      (forms.find((form) => form.hasFocus()) ?? forms.find((form) => form.isDirty()))?.save(),
    ready: Promise.all(forms.map((form) => form.ready)).then(() => false),
  };
}

/** The shop's contacts and address, for the public page and search engines. */
function showDetails(options: ViewOptions) {
  const { frame, shop } = options.words;
  const head = [
    h(
      'div',
      { class: 'view-head' },
      h('h1', { tabindex: '-1', text: frame.shop }),
      h(
        'a',
        { class: 'button', href: '/', target: '_blank', rel: 'noopener' },
        shop.see,
        h('span', { class: 'visually-hidden', text: ` ${frame.newTab}` }),
      ),
    ),
    h('p', { class: 'lead', text: shop.lead }),
  ];
  return showRecordForm(
    options,
    {
      title: frame.shop,
      head,
      notLoaded: shop.notLoaded,
      readAt: '/api/shop',
      writeAt: '/api/admin/shop',
      saved: shop.saved,
    },
    () => ({ fields: shopFields(options.words) }),
  );
}

function shopFields(words: Words) {
  const { shop } = words;
  const { atMost, phoneNumber, webAddress, whatsApp } = createChecks(words);
  return [
    textField('name', shop.name, { hint: shop.nameHint, checks: [atMost(200)] }),
    textField('phone', shop.phone, {
      hint: shop.phoneHint,
      type: 'tel',
      checks: [phoneNumber, atMost(40)],
    }),
    textField('whatsapp', shop.whatsapp, {
      hint: shop.whatsappHint,
      type: 'tel',
      checks: [whatsApp, atMost(40)],
    }),
    textField('address', shop.address, { hint: shop.addressHint, checks: [atMost(500)] }),
    hoursField('hours', words),
    selectField('language', words.frame.language, languages, { hint: shop.languageHint }),
    textField('map', shop.map, {
      hint: shop.mapHint,
      inputmode: 'url',
      spellcheck: 'false',
      checks: [webAddress, atMost(2000)],
    }),
  ];
}
