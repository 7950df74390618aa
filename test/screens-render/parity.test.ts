import { describe, expect, it } from 'vitest';
import { checkScreen } from '../../src/screens/check/check-text.js';
import { archetypes } from '../../src/screens/normalise/archetype.js';
import { normaliseScreen } from '../../src/screens/normalise/normalise.js';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { readCorpus } from './corpus.js';

const product = { name: 'Contracts', entity: 'Contract' };

const shownArchetype = (definition: unknown): string | undefined =>
  /data-archetype="(\w+)"/.exec(renderScreen(definition))?.[1];

/** Returns true if the linter predicts that the archetype becomes a queue. */
async function predictsQueue(definition: unknown): Promise<boolean> {
  const { findings } = await checkScreen(JSON.stringify(definition), {});
  return findings.some(
    ({ path, message }) => /^\/(archetype|layout)$/.test(path) && /queue/.test(message),
  );
}

describe('the linter predicts a fallback to the queue if and only if the page shows one', () => {
  const blocks = new Map(readCorpus().map(({ archetype, definition }) => [archetype, definition]));

  it.each([...archetypes, 'kanban'])('for %s without its data', async (archetype) => {
    const definition = { product, archetype };
    const degraded = shownArchetype(definition) !== archetype;
    expect(await predictsQueue(definition)).toBe(degraded);
  });

  it.each([...blocks])('for %s with its data', async (archetype, definition) => {
    expect(shownArchetype(definition)).toBe(archetype);
    expect(await predictsQueue(definition)).toBe(false);
  });
});

it('the definitions of the corpus are shown without degradations', () => {
  for (const { name, definition } of readCorpus()) {
    expect([name, normaliseScreen(definition).degradations]).toEqual([name, []]);
  }
});

it('everything that the page omits has a finding at its location', async () => {
  const definition = {
    product,
    archetype: 'kanban',
    layout: 'cockpit',
    statuses: { open: { label: 'Open', tone: 'info' } },
    banner: { text: 'x', action: 'Go', actionNav: 3 },
    chart: { bucket: 'day', groupBy: 'nope' },
    table: {
      columns: [
        { key: 'id', label: 'No.', sub: 'missing' },
        { key: 'state', label: 'State', type: 'status', values: ['open'] },
      ],
      rows: [{ id: 'a', state: 'gone' }],
    },
    drawer: { titleKey: 'none', fields: [{ key: 'no', label: 'N' }] },
    scenario: { headline: 'A', control: 'A', approveTo: 'x', rejectTo: 'y' },
    compare: { pairs: [{ label: 'L', a: 'p', b: 'q' }] },
    inbox: { bodyKey: 'body' },
    sections: [{ title: 'T', type: 'chat' }],
    steps: { items: ['a'], current: 4 },
    wizard: {
      current: 9,
      steps: [
        { title: 'a', fields: [{ label: 'f' }] },
        { title: 'b', fields: [{ label: 'f' }] },
      ],
    },
    calendar: {
      events: [
        { date: '2026-02-30', title: 'E' },
        { date: '2026-02-01', title: 'E' },
      ],
    },
    map: {
      points: [
        { label: 'P', x: 1, y: 1, status: 'gone' },
        { label: 'Q', x: 2, y: 2 },
      ],
      lines: [[0, 7]],
    },
    dashboard: {
      series: [
        {
          points: [
            { label: 'a', value: 'n/a' },
            { label: 'b', value: 2 },
          ],
        },
      ],
    },
  };
  const { findings } = await checkScreen(JSON.stringify(definition), {});
  const { degradations } = normaliseScreen(definition);
  expect(degradations.length).toBeGreaterThan(18);
  const silent = degradations.filter(
    ({ path }) => !findings.some((finding) => `${path}/`.startsWith(`${finding.path}/`)),
  );
  expect(silent).toEqual([]);
});
