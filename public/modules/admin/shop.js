import { failureNotice, h } from '../dom.js';
import { atMost, phoneNumber, webAddress, whatsApp } from './checks.js';
import { selectField, textField } from './fields.js';
import { createForm } from './form.js';
import { skeleton } from './parts.js';

/** @typedef {import('#validators/site').Shop} Shop */

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
export function showShop({ place, records, toast }) {
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  /** @type {string | undefined} the version that is edited */
  let etag;
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  place.replaceChildren(
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
    body,
  );

  /** @returns {Promise<Shop>} */
  const read = async () => {
    const version = await records.read('/api/shop');
    etag = version.etag;
    return version.value;
  };

  const load = async () => {
    try {
      open(await read());
    } catch (error) {
      body.replaceChildren(failureNotice('The shop could not be loaded', error, load, 'h2'));
    }
    body.setAttribute('aria-busy', 'false');
  };

  /** @param {Shop} shop */
  const open = (shop) => {
    form = createForm({
      fields: shopFields(),
      values: shop,
      saveLabel: 'Save the shop',
      reread: read,
      save: async (values, saved) => {
        ({ etag } = await records.write('/api/admin/shop', values, etag));
        saved();
        toast.show('The shop is saved; visitors see it from now on.');
      },
    });
    body.replaceChildren(form.element);
  };

  return {
    title: 'Shop',
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
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
