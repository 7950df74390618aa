import { h } from '../shared/dom.ts';
import { atMost, phoneNumber, webAddress, whatsApp } from './checks.js';
import { selectField, textField } from './fields.js';
import { showRecordForm } from './record-form.js';

const languages = [
  { value: 'en', label: 'English' },
  { value: 'ru', label: 'Русский' },
  { value: 'kk', label: 'Қазақша' },
];

/**
 * How to find and reach the shop, as the public page shows it and search engines read it.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showShop(options) {
  const head = [
    h(
      'div',
      { class: 'view-head' },
      h('h1', { tabindex: '-1', text: 'Shop' }),
      h(
        'a',
        { class: 'button', href: '/', target: '_blank', rel: 'noopener' },
        'See it on the site',
        h('span', { class: 'visually-hidden', text: ' (opens in a new tab)' }),
      ),
    ),
    h('p', {
      class: 'lead',
      text: 'Visitors see this at the foot of every page, and instead of a button to pay where nobody can take payments. Leave empty what you do not want to show.',
    }),
  ];
  return showRecordForm(
    options,
    {
      title: 'Shop',
      head,
      name: 'shop',
      readAt: '/api/shop',
      writeAt: '/api/admin/shop',
      saveLabel: 'Save the shop',
      saved: 'The shop is saved; visitors see it from now on.',
    },
    () => ({ fields: shopFields() }),
  );
}

function shopFields() {
  return [
    textField('name', 'Name', {
      hint: 'As it stands above the door. Search engines show it.',
      checks: [atMost(200)],
    }),
    textField('phone', 'Phone', {
      hint: 'With the country code, such as +7 701 234 56 78. A press on it calls.',
      type: 'tel',
      checks: [phoneNumber, atMost(40)],
    }),
    textField('whatsapp', 'WhatsApp', {
      hint: 'The number that answers there, with the country code, or its https://wa.me/ address.',
      type: 'tel',
      checks: [whatsApp, atMost(40)],
    }),
    textField('address', 'Address', {
      hint: 'Street, house and town, as you would tell a courier.',
      checks: [atMost(500)],
    }),
    textField('hours', 'Opening hours', {
      hint: 'Such as Mo-Fr 09:00-19:00, Sa 10:00-16:00: so that search engines can read it, too.',
      checks: [atMost(500)],
    }),
    selectField('language', 'Language', languages, {
      hint: 'For visitors whose browser asks for none of these. Everybody may choose another.',
    }),
    textField('map', 'Link of the map', {
      hint: 'Open the shop on 2GIS, Google or Yandex maps, and copy the link from “Share”.',
      inputmode: 'url',
      spellcheck: 'false',
      checks: [webAddress, atMost(2000)],
    }),
  ];
}
