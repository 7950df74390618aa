// Collects the licences of the packages bundled into dist/.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the names of the packages of bundled files, by folder. */
export function packagesOf(files) {
  const found = files.flatMap((file) => {
    const [folder, name] = inPackage.exec(file) ?? [];
    return folder === undefined ? [] : [[folder, name.replace('\\', '/')]];
  });
  return new Map(found);
}

/** Matches the folder of the innermost package that contains a file, and the package's name. */
const inPackage = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/**
 * Returns the text of `NOTICE`. It contains no versions, so that an update changes it only if a licence changes.
 * Packages with the same licence text share it.
 */
export async function noticeOf(folders) {
  const named = [...folders].map(([folder, name]) => ({ name, folder, key: name + folder }));
  const namesOf = new Map();
  for (const { name, folder } of named.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const text = await licenceIn(folder, manifest);
    namesOf.set(text, (namesOf.get(text) ?? new Set()).add(`${name} (${manifest.license})`));
  }
  const parts = [...namesOf].map(
    ([text, names]) => `${'-'.repeat(80)}\n${[...names].join('\n')}\n\n${text}\n`,
  );
  const first = 'msgsite contains code of the following packages, under their licences.\n';
  return [first, ...parts].join('\n');
}

async function licenceIn(folder, { name, license, author }) {
  const file = (await readdir(folder)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) return standardText(name, license, author);
  return (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
}

/** Returns the text of a licence that a package names but does not contain. */
async function standardText(name, license, author) {
  if (license === 'Unlicense') return 'Released into the public domain: https://unlicense.org';
  if (license !== 'MIT') throw new Error(`${name} is bundled but has no licence file.`);
  const ours = await readFile(new URL('../../LICENSE', import.meta.url), 'utf8');
  const holder = author?.name ?? author ?? `the authors of ${name}`;
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`).trim();
}
