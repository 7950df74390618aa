// The licences of the packages whose code is folded into dist/, as one text.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Folders of the packages that a bundle took code from, by name; of esbuild's metafile. */
export function packagesIn({ inputs }) {
  const found = Object.keys(inputs).flatMap((path) => {
    const [folder, name] = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
    return name ? [[name.replace('\\', '/'), resolve(folder)]] : [];
  });
  return new Map(found);
}

/** The text of `NOTICE`: names without versions, so that an update changes it only with a licence. */
export async function noticeOf(folders) {
  const parts = [
    'What msgsite is built of contains code of these packages, under their licences.\n',
  ];
  for (const [name, folder] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    parts.push(`${'-'.repeat(80)}\n${name} (${license})\n\n${await licenceIn(name, folder)}\n`);
  }
  return parts.join('\n');
}

async function licenceIn(name, folder) {
  const file = (await readdir(folder)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} is bundled, but comes without a licence file.`);
  return (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
}
