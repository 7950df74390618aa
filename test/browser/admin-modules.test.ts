import { describe, expect, it } from 'vitest';
import { foldText } from '../../src/base/fold-text.js';
import { sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk({}, async () => {});

/** Returns what an expression gives in the browser, where `module` is one of the page's. */
async function ask<Answer>(module: string, expression: string): Promise<Answer> {
  return desk.page.evaluate<Answer>(
    `import('/modules/${module}.js').then((module) => JSON.parse(JSON.stringify(${expression} ?? null)))`,
  );
}

describe('the size of the admin page', () => {
  it('is below 40 kB of code and styles to show the products', async () => {
    // The first test of the file: nothing is in the browser's cache yet.
    const sent: Promise<number>[] = [];
    const page = await desk.open('', (tab) =>
      tab.on('requestfinished', (request) => {
        if (!/\.(js|css)$/.test(request.url())) return;
        sent.push(request.sizes().then((sizes) => sizes.responseBodySize));
      }),
    );
    // By then every module has been loaded.
    await page.getByText('Linen table runner').first().waitFor();
    await page.waitForLoadState('networkidle');
    const weight = (await Promise.all(sent)).reduce((sum, size) => sum + size, 0);
    expect(weight).toBeGreaterThan(15_000);
    expect(weight).toBeLessThan(40_000);
  });
});

describe('folding letters in the page', () => {
  it('gives the same as on the server in every alphabet of our shops', async () => {
    await desk.open('#shop');
    const texts = [
      'Әсел Қасым, Өскемен ұлы үй, Іле һәм ғаң',
      'Ёлка ёж Йод, крем-брюле',
      'Crème Brûlée, Łódź, Straße, Ærø, ŒUVRE, đồng, İstanbul ısı',
      'ﬁne ½ ①',
      'plain ASCII 123',
      String.fromCodePoint(
        ...Array.from({ length: 0x530 }, (_, code) => code).filter((code) => code > 31),
      ),
    ];
    const folded = await ask<string[]>(
      'fold',
      `${JSON.stringify(texts)}.map((text) => module.foldText(text))`,
    );
    expect(folded).toEqual(texts.map(foldText));
  });
});

describe('the address of the product list', () => {
  it('includes the filters, and ignores invalid ones', async () => {
    await desk.open('#shop');
    const texts = [
      '',
      'q=tea&category=Hot&stock=few&sort=-price&page=3',
      'sort=colour&page=-1&stock=x',
    ];
    const again = await ask<string[]>(
      'admin/product-list',
      `${JSON.stringify(texts)}.map((text) => module.writeListState(module.readListState(text)))`,
    );
    expect(again).toEqual([texts[0], texts[1], '']);
  });
});

describe('comparing two versions', () => {
  it('shows what each of two people has changed', async () => {
    await desk.open('#shop');
    const fields = ['name', 'price', 'features', 'active'].map((name) => ({ name, label: name }));
    const versions = {
      base: { name: 'a', price: 1, features: [], active: true },
      mine: { name: 'b', price: 1 },
      theirs: { name: 'a', price: 2, features: ['x', 'y'], active: true },
    };
    const found = await ask(
      'admin/compare-versions',
      `module.compareVersions(${JSON.stringify(fields)}, ${JSON.stringify(versions)})`,
    );
    expect(found).toEqual([
      { label: 'name', mine: 'b', theirs: 'a', by: 'you' },
      { label: 'price', mine: '1', theirs: '2', by: 'them' },
      { label: 'features', mine: '–', theirs: '• x\n• y', by: 'them' },
    ]);
  });
});

describe('counts of pieces', () => {
  it('are parsed as people type them', async () => {
    await desk.open('#shop');
    const texts = ['', ' ', '0', '12', '1 000 000', '1000001', '-1', '1.5', 'ten'];
    const read = await ask<(number | string)[]>(
      'admin/stock',
      `${JSON.stringify(texts)}.map((text) => String(module.parseLeft(text)))`,
    );
    expect(read).toEqual(['null', 'null', '0', '12', '1000000', 'NaN', 'NaN', 'NaN', 'NaN']);
  });
});
