import type { Settings, ShopAnswer } from '#validators/site';
import { h } from '../shared/dom.ts';
import { createChecks } from './checks.ts';
import { choiceField, longTextField, textField } from './fields.ts';
import { previewPane, type ViewOptions } from './parts.ts';
import { showRecordForm } from './record-form.ts';
import type { Words } from './words/en.ts';

/** The heading and theme of the front page, with a preview of its top. */
export function showSettings(options: ViewOptions) {
  const { words, api } = options;
  const { settings } = words;
  const { atMost } = createChecks(words);
  return showRecordForm(
    options,
    {
      title: settings.heading,
      head: [h('h2', { text: settings.heading })],
      notLoaded: settings.notLoaded,
      readAt: '/api/settings',
      writeAt: '/api/admin/settings',
      saved: settings.saved,
    },
    () => {
      const preview = createPreview(words);
      // Without a title, visitors see the shop's name.
      api<ShopAnswer>('/api/shop').then(
        ({ data }) => preview.nameShop(data.name),
        () => {},
      );
      return {
        fields: [
          textField('heroTitle', settings.title, {
            hint: settings.titleHint,
            checks: [atMost(200)],
          }),
          longTextField('heroSubtitle', settings.subtitle, { rows: 3, checks: [atMost(500)] }),
          choiceField('theme', settings.theme, [
            { value: 'light', label: settings.light },
            { value: 'dark', label: settings.dark },
          ]),
        ],
        changed: preview.show,
        preview: preview.element,
      };
    },
  );
}

function createPreview(words: Words) {
  const { settings } = words;
  const title = h('p', { class: 'preview-title' });
  const subtitle = h('p', { class: 'hero-subtitle' });
  const page = h(
    'div',
    { class: 'preview-page', 'data-theme': 'light' },
    h(
      'div',
      { class: 'hero' },
      h('div', { class: 'preview-hero' }, title, subtitle),
      h('div', { class: 'ornament' }),
    ),
    h(
      'div',
      { class: 'preview-rest', 'aria-hidden': 'true' },
      h('p', { class: 'preview-name', text: settings.catalogue }),
    ),
  );
  let shown: Partial<Settings> = {};
  let shopName = '';
  const show = (values: Partial<Settings>) => {
    const { heroTitle, heroSubtitle = '', theme = 'light' } = values;
    shown = values;
    title.textContent = heroTitle?.trim() || shopName || settings.welcome;
    subtitle.textContent = heroSubtitle;
    page.dataset.theme = theme;
  };
  const nameShop = (name: string) => {
    shopName = name;
    show(shown);
  };
  return { element: previewPane(words, page), show, nameShop };
}
