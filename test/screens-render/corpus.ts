import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const folder = fileURLToPath(new URL('../screens/valid', import.meta.url));

export interface CorpusScreen {
  /** `queue/contracts-ru`. */
  readonly name: string;
  readonly archetype: string;
  readonly text: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Returns every valid definition of the corpus, sorted by name. */
export function readCorpus(): readonly CorpusScreen[] {
  return globSync('*/*.screen.json', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(`${folder}/${file}`, 'utf8');
      const [archetype = ''] = file.split('/');
      return {
        name: file.replace('.screen.json', ''),
        archetype,
        text,
        definition: JSON.parse(text),
      };
    });
}

/** Returns the first definition of each archetype. */
export function oneOfEach(): readonly CorpusScreen[] {
  const seen = new Set<string>();
  return readCorpus().filter(({ archetype }) => !seen.has(archetype) && seen.add(archetype));
}
