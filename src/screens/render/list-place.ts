import type { Archetype } from '../normalise/archetype.js';
import type { Screen } from '../normalise/normalise.js';

/** Archetypes whose own layout shows the rows of the list. */
const withOwnList = new Set<Archetype>(['queue', 'cockpit', 'compare', 'inbox']);

/**
 * Where the list is written: by the archetype or a section, at the end of the home view, or, where there
 * is a registry, in it.
 */
export function listPlace({ archetype, sections, nav }: Screen): 'body' | 'home' | 'registry' {
  const inSection = archetype === 'custom' && sections.some(({ shown }) => shown === 'table');
  if (withOwnList.has(archetype) || inSection) return 'body';
  const registry = nav.some(({ items }) => items.some(({ view }) => view === 'registry'));
  return registry ? 'registry' : 'home';
}
