import { expect, test } from 'vitest';
import { html } from '../../../src/base/html.js';
import { drawDialog } from '../../../src/orders/pages/draw-dialog.js';
import { failureCodes } from '../../../src/orders/pages/words/order-words.js';
import { languages } from '../../../src/words/languages.js';

const contact = html`<a href="tel:+77010001122">+7 701 000 11 22</a>`;

test.each(languages)(
  'the order dialog in %s has texts for every failure of an order',
  (language) => {
    const dialog = drawDialog(language, contact).text;
    const templates = new Map(
      dialog
        .split('<template data-shows="')
        .slice(1)
        .map((text) => [
          text.slice(0, text.indexOf('"')),
          text.slice(0, text.indexOf('</template>')),
        ]),
    );
    expect([...templates.keys()].sort()).toEqual([...failureCodes, 'preparing'].sort());
    expect(templates.get('payments_unavailable')).toContain('tel:+77010001122');
    expect(templates.get('rate_limited')).toContain('{}');
    expect(templates.get('not_for_sale')).not.toContain('data-again');
    for (const code of ['rate_limited', 'provider_error', 'other']) {
      expect(templates.get(code)).toContain('data-again');
    }
  },
);
