import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { oneOfEach, readCorpus } from './corpus.js';

const product = { name: 'Contracts', entity: 'Contract' };
const table = {
  columns: [{ key: 'id', label: 'No.' }],
  rows: [{ id: 'C-1' }],
};

const body = (page: string): string =>
  page.slice(page.indexOf('<body>')).replace(/<script>.*?<\/script>/s, '');

describe('a page', () => {
  it('is the same for the same definition', () => {
    for (const { definition } of readCorpus()) {
      expect(renderScreen(definition)).toBe(renderScreen(structuredClone(definition)));
    }
  });

  it('allows only its own style and script', () => {
    const page = renderScreen({
      product,
      table: { ...table, columns: [{ key: 'id', label: 'x', width: '20%' }] },
    });
    const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    expect(policy).toContain(`style-src 'sha256-${digest(style)}'`);
    expect(policy).toContain(`script-src 'sha256-${digest(script)}'`);
    expect(policy).toContain("default-src 'none'");
    expect(page.match(/<style/g)).toHaveLength(1);
  });

  it.each([
    ['en', 'Nothing here yet.'],
    ['ru', 'Здесь пока пусто.'],
    ['kk', 'Әзірге бос.'],
  ] as const)('shows a text for empty content in %s', (locale, said) => {
    const screens = [
      ...oneOfEach().map(({ archetype }) => ({ archetype })),
      { archetype: 'compare', compare: { pairs: [{ label: 'No.', a: 'id', b: 'id' }] } },
      { archetype: 'inbox', inbox: { bodyKey: 'id' } },
      { archetype: 'custom', sections: [{ title: 'Cards', type: 'cards' }] },
      { nav: [{ label: 'Home' }, { label: 'All', view: 'registry' }] },
    ];
    for (const screen of screens) {
      const page = body(renderScreen({ product, ...screen }, { locale }));
      expect({ screen, text: page.replace(/<template.*?<\/template>/gs, '') }).toEqual({
        screen,
        text: expect.stringContaining(said),
      });
    }
  });

  it('has no headings of empty sections without JavaScript', () => {
    const nav = [{ label: 'Home' }, { label: 'All', view: 'registry' }];
    const page = body(renderScreen({ product, table, nav, ai: { suggestions: ['Why?'] } }));
    expect(page).toMatch(
      /All<\/h2><div[^>]*data-registry><\/div><p class="no-js"[^>]*><a [^>]*href="#list"/,
    );
    expect(page).not.toContain('id="answers"');
    expect(body(renderScreen({ product, archetype: 'dashboard' }))).not.toContain('metrics-title');
  });

  it('shows the name of a tone only to screen readers', () => {
    const items = [{ title: 'Pump', tone: 'ok' }];
    const points = [0, 50].map((x) => ({ label: 'Pump', tone: 'ok', x, y: 50 }));
    const sections = [{ title: 'Pumps', type: 'cards', items }];
    for (const screen of [
      { archetype: 'custom', sections },
      { archetype: 'map', map: { points } },
    ]) {
      const page = body(renderScreen({ product, ...screen }, { locale: 'en' }));
      expect(page.replaceAll(/<span class="vh"[^>]*>Good</g, '')).not.toContain('Good');
      expect(page).toMatch(/<span class="vh"[^>]*>Good</);
    }
  });

  it('has no style attributes and no event handler attributes', () => {
    for (const { definition } of readCorpus()) {
      expect(body(renderScreen(definition))).not.toMatch(/<[^>]+\s(style|on\w+)=/);
    }
  });

  it('declares its language, and the language of its content if it differs', () => {
    const page = renderScreen({ product: { ...product, language: 'kk' } }, { locale: 'ru' });
    expect(page).toContain('<html lang="ru">');
    expect(page).toMatch(/<main [^>]*lang="kk"/);
    expect(page).toContain('aria-label="Поиск"');
  });

  it('keeps the interface language regardless of product.language', () => {
    const page = renderScreen({ product: { ...product, language: 'ru' } });
    expect(page).toContain('New contract');
  });
});

describe('text of a definition', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;

  it('is never markup', () => {
    const page = renderScreen({
      product: { name: evil, entity: evil, purpose: evil },
      statuses: { [evil]: { label: evil, tone: 'ok' } },
      table: { columns: [{ key: 'a', label: evil, type: 'status' }], rows: [{ a: evil }] },
      ai: { answers: { [evil]: evil }, suggestions: [evil] },
      chart: { groupBy: 'a', title: evil },
    });
    expect(page).not.toContain('<img');
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  it('becomes a link only if its URL is http or https', () => {
    const preview =
      '[a](https://example.test/x) [b](javascript:alert(1)) [c](data:text/html,x) [d](//evil.test)';
    const page = renderScreen({
      product,
      archetype: 'copilot',
      artifact: { title: 'A', preview },
    });
    const links = [...body(page).matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links.filter((href) => !href.startsWith('#'))).toEqual(['https://example.test/x']);
  });

  it('cannot break out of a column label in the style sheet', () => {
    const page = renderScreen({
      product,
      table: { columns: [{ key: 'a', label: '"}</style>*{color:red}\\' }], rows: [] },
    });
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    expect(style).not.toContain('*{color:red}');
  });

  it('is treated as data even with hostile keys', () => {
    const definition: unknown = JSON.parse(`{
      "product": {"name": "P", "entity": "E"},
      "statuses": {"__proto__": {"label": "Proto", "tone": "ok"}},
      "table": {"columns": [{"key": "__proto__", "label": "K", "type": "status"}, {"key": "constructor", "label": "C"}],
                "rows": [{"__proto__": "__proto__", "constructor": "own"}, {}]}
    }`);
    const page = renderScreen(definition);
    expect(page).toContain('Proto</span>');
    expect(page).toContain('<td>own');
    expect(page).not.toContain('native code');
  });
});

describe('repeated content', () => {
  const product = { name: 'Queue', entity: 'Request' };

  it('is rejected if the statuses in the form would make the page too long', () => {
    const indexes = Array.from({ length: 5_000 }, (_, index) => index);
    const statuses = Object.fromEntries(
      indexes.map((index) => [`s${index}`, { label: `Status ${index}`, tone: 'ok' }]),
    );
    const columns = indexes.map((index) => ({ key: `c${index}`, label: 'State', type: 'status' }));
    const draw = () => renderScreen({ product, statuses, table: { columns, rows: [] } });
    expect(draw).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('in a documents section is limited to the type of the section, if it has one', () => {
    const rows = ['act', 'bill', undefined].map((type, index) => ({
      id: `R-${index}`,
      _docs: [{ label: `Paper ${index}`, ...(type === undefined ? {} : { type }) }],
    }));
    const table = { columns: [{ key: 'id', label: 'Number' }], rows };
    const papersOf = (docType?: string) => {
      const nav = [{ label: 'Papers', view: 'documents', ...(docType ? { docType } : {}) }];
      const page = renderScreen({ product, table, nav });
      return [...page.matchAll(/<tr data-find.*?(Paper \d)/g)].map(([, label]) => label);
    };
    expect(papersOf()).toEqual(['Paper 0', 'Paper 1', 'Paper 2']);
    expect(papersOf('bill')).toEqual(['Paper 1']);
    expect(papersOf('none')).toEqual([]);
  });
});

describe('blocks', () => {
  const draw = (definition: object, locale: 'en' | 'ru' | 'kk' = 'en'): string =>
    body(renderScreen({ product, ...definition }, { locale }));

  it.each([
    ['en', 'New contract'],
    ['ru', 'Создать: contract'],
    ['kk', 'Жаңа contract'],
  ] as const)('the create button has a default label (%s)', (locale, label) => {
    expect(draw({}, locale)).toContain(`<span>${label}</span></button></div>`);
  });

  it('an abbreviation keeps its capitals in the default label', () => {
    expect(draw({ product: { name: 'x', entity: 'SLA' } })).toContain('New SLA');
  });

  it('the banner is above the metrics and links to a nav item, without counting headings', () => {
    const page = draw({
      nav: [
        { label: 'A', group: 'G' },
        { label: 'B', group: 'G' },
        { label: 'C', group: 'H', view: 'registry' },
      ],
      banner: { text: 'Look', action: 'Go', actionNav: 2 },
      kpis: [{ label: 'K', value: '1', hint: 'of 2', note: 'not revenue' }],
    });
    expect(page.indexOf('class="banner')).toBeLessThan(page.indexOf('class="kpis'));
    expect(page).toContain('<a class="button" href="#view-2">Go</a>');
    expect(page).toContain('<p class="kpi-hint">of 2</p><p class="kpi-note">not revenue</p>');
    expect(page).toContain('<p class="nav-heading" id="nav-group-0"');
  });

  it('a banner action without a target is not a control', () => {
    const page = draw({ banner: { text: 'Look', action: 'Go', actionNav: 7 } });
    expect(page).toContain('<span class="muted">Go</span>');
  });

  it('the conclusion is the last block of the view', () => {
    const page = draw({ table, conclusion: { title: 'So', text: 'One.\n\nTwo.' } });
    expect(page).toContain('<h2>So</h2><p>One.</p><p>Two.</p></section></div>');
    expect(page.indexOf('class="card conclusion')).toBeGreaterThan(page.indexOf('id="list"'));
  });

  it("the agent's summary has the label for generated text, which is not shown without a summary", () => {
    const scenario = { headline: 'Approve', control: 'Approve it' };
    expect(draw({ scenario })).not.toContain('Generated by AI');
    expect(draw({ scenario: { ...scenario, aiSummary: 'Did it.' } })).toMatch(
      /Generated by AI<\/span><p>Did it\.<\/p>/,
    );
  });

  it('steps are shown in the form for a new record and not in the list', () => {
    const page = draw({ table, steps: { items: ['One', 'Two'], current: 2 } });
    const [view = '', dialogs = ''] = page.split('</main>');
    expect(view).not.toContain('>One<');
    expect(dialogs).toContain('aria-current="step"');
  });

  it('the pager is shown only if the rows do not fit on one page', () => {
    const rows = Array.from({ length: 13 }, (_, index) => ({ id: `C-${index}` }));
    expect(draw({ table: { ...table, rows } })).toContain('class="pager');
    expect(draw({ table: { ...table, rows: rows.slice(1) } })).not.toContain('class="pager');
  });

  it('the search field shows its shortcut in a badge unless it is compact', () => {
    expect(draw({})).toContain('<kbd');
    expect(draw({ search: { shortcut: false } })).not.toMatch(/<kbd|aria-keyshortcuts/);
    const compact = draw({ search: { compact: true } });
    expect(compact).not.toContain('<kbd');
    expect(compact).toContain('aria-keyshortcuts');
    expect(compact).toContain('class="search compact"');
  });

  it('the documents view shows the documents of its type with links to their rows', () => {
    const rows = [
      { id: 'C-1', _docs: [{ label: 'Opinion', type: 'opinion', format: 'docx' }] },
      { id: 'C-2', _docs: [{ label: 'Act', type: 'act' }] },
    ];
    const page = draw({
      table: { ...table, rows },
      nav: [{ label: 'Home' }, { label: 'Opinions', view: 'documents', docType: 'opinion' }],
    });
    const view = page.slice(page.indexOf('id="view-1"'), page.indexOf('id="row-details"'));
    expect(view).toContain('Opinion');
    expect(view).not.toContain('Act');
    expect(view).toContain('href="#row-0"');
  });

  it('a dashboard with a registry shows its list there instead of in the home view', () => {
    const nav = [{ label: 'Home' }, { label: 'All', view: 'registry' }];
    const page = draw({ archetype: 'dashboard', nav, table });
    expect(page.indexOf('id="list"')).toBeGreaterThan(page.indexOf('id="view-1"'));
    const without = draw({ archetype: 'dashboard', table });
    expect(without.indexOf('id="list"')).toBeGreaterThan(without.indexOf('id="home"'));
  });

  it('default slides describe the product, and an empty list disables them', () => {
    expect(draw({})).toContain('Welcome: Contracts');
    expect(draw({ onboarding: [] })).not.toContain('id="onboarding"');
    expect(draw({ onboarding: [{ title: 'Own', text: 'x' }] })).not.toContain('Welcome');
  });

  it('hints of bars are shown unchanged', () => {
    const hint = { title: '1 Nov', rows: [{ label: 'Sum', value: '1234.50' }] };
    const page = draw({ chart: { bars: [{ label: 'a', value: 1234.5, hint }] } });
    expect(page).toContain('<div>1 Nov</div><div>Sum: 1234.50</div>');
    expect(page).toContain('<td>1,234.5</td>');
  });

  it('numbers, dates and enum values are formatted for the column and the locale', () => {
    const columns = [
      { key: 'n', label: 'N', type: 'num', sortable: true },
      { key: 'd', label: 'D', type: 'date' },
      { key: 'e', label: 'E', values: ['a'] },
    ];
    const page = draw(
      { table: { columns, rows: [{ n: 12345.5, d: '2026-03-02', e: 'a' }] } },
      'ru',
    );
    expect(page).toContain('<td data-v="12345.5">');
    expect(page).toContain('>12\u00a0345,5</a>');
    expect(page).toContain('<time datetime="2026-03-02">02.03.2026</time>');
    expect(page).toContain('<span class="tag">a</span>');
  });

  it('only the preview explains why a queue is shown', () => {
    const definition = { product, archetype: 'kanban' };
    expect(renderScreen(definition)).not.toContain('kanban');
    expect(renderScreen(definition, { preview: true })).toContain('Unknown archetype “kanban”');
  });
});

/** Replaces the part at a path of child indexes with `value`. */
function replacePart(part: unknown, [step, ...rest]: readonly number[], value: unknown): unknown {
  if (typeof part !== 'object' || part === null || step === undefined) return value;
  const keys = Object.keys(part);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const copy = structuredClone(part) as Record<string, unknown>; // Lists have keys, too.
  copy[key] = replacePart(copy[key], rest, value);
  return copy;
}

it('every invalid definition is rendered as a page', () => {
  const parts = oneOfEach().map(({ definition }) => definition);
  fc.assert(
    fc.property(
      fc.constantFrom(...parts),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      fc.jsonValue(),
      fc.boolean(),
      (definition, path, value, preview) => {
        const page = renderScreen(replacePart(definition, path, value), { preview });
        expect(page).toContain('</html>');
        expect(page).not.toMatch(/>(undefined|NaN|\[object Object\])</);
        expect(page).not.toMatch(/="[^"]*NaN[%"]/);
      },
    ),
    { numRuns: 400 },
  );
});

it.each([[null], [[]], ['x'], [7], [{}], [{ product: null }]])(
  '%j is rendered as an empty screen',
  (value) => {
    expect(renderScreen(value)).toContain('<h1></h1>');
  },
);
