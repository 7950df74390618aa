// The licences of the packages whose code is folded into dist/, as one text.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the packages that bundled files belong to: names by folder. */
export function packagesOf(files) {
  const found = files.flatMap((file) => {
    const [folder, name] = inPackage.exec(file) ?? [];
    return folder === undefined ? [] : [[folder, name.replace('\\', '/')]];
  });
  return new Map(found);
}

/** The folder of the innermost package that a file lies in, and its name. */
const inPackage = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/**
 * The text of `NOTICE`: names without versions, so that an update changes it only with a licence. Packages whose
 * licences have the same words share them.
 */
export async function noticeOf(folders) {
  const named = [...folders].map(([folder, name]) => ({ name, folder, place: name + folder }));
  const namesOf = new Map();
  for (const { name, folder } of named.sort((a, b) => (a.place < b.place ? -1 : 1))) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const text = await licenceIn(folder, manifest);
    namesOf.set(text, (namesOf.get(text) ?? new Set()).add(`${name} (${manifest.license})`));
  }
  const parts = [...namesOf].map(
    ([text, names]) => `${'-'.repeat(80)}\n${[...names].join('\n')}\n\n${text}\n`,
  );
  const first = 'What msgsite is built of contains code of these packages, under their licences.\n';
  return [first, ...parts].join('\n');
}

async function licenceIn(folder, { name, license, author }) {
  const file = (await readdir(folder)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) return standardText(name, license, author);
  return (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
}

/** The words of a licence that a package names without handing them on. */
async function standardText(name, license, author) {
  if (license === 'Unlicense') return 'Released into the public domain: https://unlicense.org';
  if (license !== 'MIT') throw new Error(`${name} is bundled, but comes without a licence file.`);
  const own = await readFile(new URL('../../LICENSE', import.meta.url), 'utf8');
  const holder = author?.name ?? author ?? `the authors of ${name}`;
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`).trim();
}
