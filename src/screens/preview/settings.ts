import { archetypes } from '../normalise/archetype.js';
import { type Locale, locales } from '../render/format.js';

/** What the author looks at: the definition as it is, or with something of it exchanged. */
export interface PreviewSettings {
  readonly locale: Locale;
  readonly theme: 'light' | 'dark' | undefined;
  readonly archetype: string | undefined;
  readonly width: 'full' | 'reading' | undefined;
}

/** Reads the settings of an address; unknown values count as absent. */
export function readSettings(query: URLSearchParams, locale: Locale): PreviewSettings {
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === query.get(name));
  return {
    locale: oneOf('locale', locales) ?? locale,
    theme: oneOf('theme', ['light', 'dark'] as const),
    archetype: oneOf('archetype', archetypes),
    width: oneOf('width', ['full', 'reading'] as const),
  };
}

/** The definition with the archetype and width that the author wants to look at. */
export function exchange(
  definition: unknown,
  { archetype, width }: Pick<PreviewSettings, 'archetype' | 'width'>,
): unknown {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    return definition;
  }
  const changed: Record<string, unknown> = { ...definition };
  if (archetype !== undefined) {
    changed.archetype = archetype;
    delete changed.layout;
  }
  if (width !== undefined) changed.width = width;
  return changed;
}
