import { createRandom, type Random } from './random.js';
import { resolve, type Settings, screenSchema, valueFor } from './schema-values.js';
import { textKinds, textOf } from './texts.js';

type Definition = Record<string, unknown>;
type Block = Record<string, unknown>;

export const archetypes = [
  'queue',
  'cockpit',
  'dashboard',
  'compare',
  'custom',
  'document',
  'copilot',
  'wizard',
  'inbox',
  'analytics',
  'calendar',
  'map',
  'timeline',
] as const;

export type ArchetypeName = (typeof archetypes)[number];

/** The blocks that an archetype requires or shows. */
const ownBlocks: Partial<Record<ArchetypeName, readonly string[]>> = {
  dashboard: ['dashboard', 'kpis'],
  compare: ['compare'],
  custom: ['sections', 'kpis'],
  document: ['document'],
  copilot: ['artifact', 'ai'],
  wizard: ['wizard', 'steps'],
  inbox: ['inbox'],
  analytics: ['analytics'],
  calendar: ['calendar'],
  map: ['map'],
  timeline: ['timeline'],
};

/** Blocks that every screen may contain. */
const frame = [
  'user',
  'notifications',
  'steps',
  'nav',
  'kpis',
  'scenario',
  'chart',
  'activity',
  'drawer',
  'ai',
  'banner',
  'search',
  'conclusion',
  'onboarding',
];

/**
 * Returns a valid definition of an archetype, which is the same for the same seed. Even seeds produce the largest
 * values that the schema allows, and every fourth seed uses a single kind of text. Odd seeds produce values of any
 * size, except that every eighth seed produces the smallest ones.
 */
export function definitionOf(archetype: ArchetypeName, seed: number): Definition {
  const random = createRandom(seed * 1_009 + archetypes.indexOf(archetype) + 1);
  const size = seed % 2 === 0 ? 'longest' : seed % 8 === 7 ? 'shortest' : 'any';
  const kind = seed % 4 === 0 ? textKinds[(seed / 4) % textKinds.length] : undefined;
  const settings: Settings = { random, size, kind };
  const own = ownBlocks[archetype] ?? [];
  const around = frame.filter(() => size === 'longest' || random.between(0, 1) === 1);
  const names = size === 'shortest' ? own : [...new Set([...own, ...around])];
  const drawn = names.map((name) => [name, blockOf(name, settings)] as const);
  const product = blockOf('product', settings) as Block;
  const language = random.one(['ru', 'kk', 'en']);
  const definition: Definition = { archetype, product: { ...product, language } };
  Object.assign(definition, Object.fromEntries(drawn));
  addList(definition, settings);
  // Drop undefined values, as in a file.
  return JSON.parse(JSON.stringify(definition));
}

function blockOf(name: string, settings: Settings): unknown {
  const schema = screenSchema.properties?.[name];
  if (schema === undefined) throw new Error(`The schema has no ${name}.`);
  // The schema does not limit the number of metrics and nav items.
  if ((name === 'kpis' || name === 'nav') && settings.size !== 'shortest') {
    const count = settings.random.one(name === 'kpis' ? [1, 3, 7, 24] : [1, 4, 9]);
    const items = resolve(resolve(schema).items ?? {});
    return Array.from({ length: count }, () => valueFor(items, settings));
  }
  return valueFor(schema, settings);
}

const types = ['text', 'status', 'num', 'date', 'text', 'text', 'text', 'num'] as const;
const icons = ['inbox', 'table', 'files', 'no-such-icon'];

/** Adds the list, and adapts the references of other blocks to it, to statuses and to sections. */
function addList(definition: Definition, settings: Settings): void {
  const { random, size } = settings;
  const { archetype } = definition;
  const needsList = ['queue', 'cockpit', 'compare', 'inbox'].includes(String(archetype));
  if (!needsList && size !== 'longest' && random.between(0, 1) === 0) return;
  const statuses = blockOf('statuses', settings) as Block;
  const keys = Object.keys(statuses);
  const count = size === 'shortest' ? 1 : random.one([2, 4, 8]);
  const columns = Array.from({ length: count }, (_, index) => ({
    ...(valueFor(columnSchema(), settings) as Block),
    key: `c${index}`,
    type: types[index % types.length],
    sub: random.one(['c2', 'note']),
    values: undefined,
    width: random.one([undefined, undefined, undefined, '220px', '30%']),
    sortable: random.between(0, 1) === 1,
  }));
  const rows = Array.from({ length: size === 'shortest' ? 1 : random.between(3, 9) }, () => ({
    ...Object.fromEntries(columns.map(({ key, type }) => [key, cellOf(type, settings, keys)])),
    note: cellOf('text', settings, keys),
    ...(size === 'longest' ? (valueFor(rowSchema(), settings) as Block) : {}),
  }));
  definition.statuses = statuses;
  definition.table = { columns, rows, pageSize: random.one([2, 12]) };
  refer(definition, random, keys, columns.length);
}

const tableSchema = () => resolve(screenSchema.properties?.table ?? {});
const columnSchema = () => resolve(tableSchema().properties?.columns?.items ?? {});
const rowSchema = () => resolve(tableSchema().properties?.rows?.items ?? {});

function cellOf(
  type: (typeof types)[number] | undefined,
  settings: Settings,
  keys: readonly string[],
): unknown {
  const { random, kind } = settings;
  if (type === 'status') return random.one([...keys, 'nobody declared this status']);
  if (type === 'num')
    return random.one([0, -1.5, 9_007_199_254_740_991, 1e21, 'n/a', textOf('russian', 90)]);
  if (type === 'date') return random.one(['2026-02-03', '2026-11-30T10:15:00Z', 'soon']);
  const drawn = kind ?? random.one(textKinds);
  const length = random.one([12, 30, 30, 90, 200]);
  const whole = length > 30 && drawn === 'word' && random.between(0, 2) > 0 ? 'kazakh' : drawn;
  return textOf(whole, length, random.between(0, 3));
}

/** Replaces the references to columns, statuses and sections with existing ones. */
function refer(
  definition: Definition,
  random: Random,
  statuses: readonly string[],
  columns: number,
): void {
  const key = (): string => `c${random.between(0, columns - 1)}`;
  const change = (name: string, values: Block): void => {
    const block = definition[name];
    if (block !== undefined) definition[name] = { ...(block as Block), ...values };
  };
  const each = (list: unknown, values: () => Block): unknown =>
    Array.isArray(list) ? list.map((item) => ({ ...item, ...values() })) : list;
  change('drawer', {
    titleKey: 'c0',
    fields: each((definition.drawer as Block | undefined)?.fields, () => ({ key: key() })),
  });
  change('inbox', { titleKey: 'c0', subKey: key(), timeKey: key(), bodyKey: 'note' });
  const { pairs } = (definition.compare ?? {}) as Block;
  change('compare', { pairs: each(pairs, () => ({ a: key(), b: key() })) });
  change('scenario', { approveTo: random.one(statuses), rejectTo: random.one(statuses) });
  change('chart', { groupBy: random.one(['c1', undefined]), bucket: undefined });
  change('banner', { actionNav: random.one([0, 99]) });
  const { points = [] } = (definition.map ?? {}) as { points?: unknown[] };
  const point = (): number => random.between(0, points.length - 1);
  change('map', {
    points: each(points, () => ({ status: random.one([...statuses, undefined]) })),
    lines: Array.from({ length: 10 }, () => [point(), point()]),
  });
  definition.nav = each(definition.nav, () => ({ icon: random.one(icons), docType: undefined }));
}
