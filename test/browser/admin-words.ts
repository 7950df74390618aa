import type { Page } from 'playwright-core';
import type { AdminOrder } from '#validators/orders';

/** The sections of the page in one language. */
export interface Walk {
  readonly lang: 'ru' | 'kk';
  readonly locale: string;
  readonly fault: string;
  readonly sections: readonly (readonly [hash: string, heading: string])[];
}

export const walks: readonly Walk[] = [
  {
    lang: 'kk',
    locale: 'kk-KZ',
    fault: 'Атауын енгізіңіз.',
    sections: [
      ['#products', 'Тауарлар'],
      ['#products/3', 'Тауарды өзгерту'],
      ['#orders', 'Тапсырыстар'],
      ['#announcements', 'Жаңалықтар'],
      ['#announcements/2', 'Жаңалықты өзгерту'],
      ['#people', 'Адамдар'],
      ['#team', 'Қызметкерлер'],
      ['#shop', 'Дүкен'],
    ],
  },
  {
    lang: 'ru',
    locale: 'ru-RU',
    fault: 'Введите название.',
    sections: [
      ['#products', 'Товары'],
      ['#products/3', 'Изменить товар'],
      ['#orders', 'Заказы'],
      ['#announcements', 'Новости'],
      ['#announcements/2', 'Изменить новость'],
      ['#people', 'Люди'],
      ['#team', 'Команда'],
      ['#shop', 'Магазин'],
    ],
  },
];

/** Responds with orders of every status. */
export async function giveOrders(page: Page): Promise<void> {
  const statuses = ['pending', 'paid', 'failed', 'expired', 'unknown'] as const;
  const orders = statuses.map((status, index): AdminOrder => {
    return {
      id: `order${String(index).padStart(17, '0')}`,
      number: index + 1,
      fulfillment: { method: 'pickup', requestedFor: null, status: 'new' },
      changedAt: new Date(Date.UTC(2026, 10, 22, 12)).toISOString(),
      items: [
        {
          ...{ productId: 5, variantId: null, name: 'Cold brew', price: 1900 },
          ...{ quantity: 3, amount: 5700, oversold: status === 'paid' },
        },
      ],
      ...{ productId: 5, name: 'Cold brew', quantity: 3, deliveryPrice: 0, amount: 5700 },
      status,
      qrToken: null,
      qrImage: null,
      expiresAt: null,
      createdAt: new Date(Date.UTC(2026, 10, 22, 12)).toISOString(),
      oversold: status === 'paid',
      paymentId: String(1795230000 + index),
      endedAt: null,
    };
  });
  await page.route('**/api/admin/orders?*', (route) =>
    route.fulfill({ json: { ok: true, orders, hasMore: false } }),
  );
}

/** Goes to a section and waits until it is loaded. */
export async function goTo(page: Page, [hash, heading]: Walk['sections'][number]): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await page.locator('main [aria-busy="false"]').first().waitFor();
}

/** Names, addresses and units that are the same in every language. */
const known =
  /English|WhatsApp|JPEG|WebP|https?(?::\/\/\S*)?|Google|MSGSITE_ADMIN_TOKEN|products\.csv|Enter|order0+\d/g;

/**
 * Returns the Latin words with more than three letters that a user can see or hear, in texts, names, hints and options.
 * The demo content and text in `code` are excluded.
 */
export async function latinWords(page: Page, content: readonly string[]): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const found = [document.title];
    for (const element of document.querySelectorAll('body *:not(script, noscript, code, option[lang])')) {
      if (element.closest('code, noscript, [hidden]')) continue;
      for (const node of element.childNodes) if (node.nodeType === 3) found.push(node.data);
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(element.getAttribute(name) ?? '');
    }
    return found.map((text) => text.trim()).filter(Boolean);
  })()`);
  return texts.flatMap((text) => {
    let rest = text;
    for (const own of content) rest = rest.replaceAll(own, '');
    return rest.replace(known, '').match(/[A-Za-z]{4,}/g) ?? [];
  });
}
