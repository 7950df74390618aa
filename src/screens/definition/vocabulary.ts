// Words and small shapes that several blocks share.

/** Archetypes that the runtime knows how to lay out. The registry of ids is open. */
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
export type Archetype = (typeof archetypes)[number];

export const tones = ['ok', 'warn', 'risk', 'info'] as const;
export type Tone = (typeof tones)[number];

export const chartColors = ['blue', 'green', 'orange', 'salmon', 'pink', 'primary'] as const;
export type ChartColor = (typeof chartColors)[number];

export const languages = ['ru', 'kk', 'en'] as const;
export type Language = (typeof languages)[number];

export const columnTypes = ['text', 'num', 'date', 'status'] as const;
export type ColumnType = (typeof columnTypes)[number];

export const sectionTypes = ['text', 'cards', 'chart', 'kpis', 'table', 'chat'] as const;
export type SectionType = (typeof sectionTypes)[number];

export const artifactTypes = ['document', 'slides', 'report', 'table', 'letter'] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export const fragmentOps = ['keep', 'edit', 'add', 'del'] as const;
export type FragmentOp = (typeof fragmentOps)[number];

/** A number, or a number with its wording ("12 %", "1 200"). */
export type Quantity = string | number;

/** A label and its value, both ready to show. */
export interface FieldDefinition {
  readonly label: string;
  readonly value: string;
}

export interface PointDefinition {
  readonly label: string;
  readonly value?: Quantity;
  readonly tone?: Tone;
}
