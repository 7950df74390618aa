import { h } from '../shared/dom.ts';
import { createChecks } from './checks.ts';
import { selectField, textField } from './fields.ts';
import type { ViewOptions } from './parts.ts';
import { showRecordForm } from './record-form.ts';
import type { Words } from './words/en.ts';

const languages = [
  { value: 'en', label: 'English' },
  { value: 'ru', label: 'Русский' },
  { value: 'kk', label: 'Қазақша' },
];

/** The shop's contacts and address, for the public page and search engines. */
export function showShop(options: ViewOptions) {
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
    textField('hours', shop.hours, { hint: shop.hoursHint, checks: [atMost(500)] }),
    selectField('language', words.frame.language, languages, { hint: shop.languageHint }),
    textField('map', shop.map, {
      hint: shop.mapHint,
      inputmode: 'url',
      spellcheck: 'false',
      checks: [webAddress, atMost(2000)],
    }),
  ];
}
