// The licences of the packages whose code is folded into dist/, as one text.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `plugin` of esbuild takes note of the packages whose files go into a bundle: `folders` by name. */
export function recordPackages() {
  const folders = new Map();
  const plugin = {
    name: 'record-packages',
    setup({ onLoad }) {
      onLoad({ filter: inPackage }, ({ path }) => {
        const [folder, name] = inPackage.exec(path);
        folders.set(name.replace('\\', '/'), folder);
        return undefined;
      });
    },
  };
  return { folders, plugin };
}

/** The folder of the innermost package that a file lies in, and its name. */
const inPackage = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** The text of `NOTICE`: names without versions, so that an update changes it only with a licence. */
export async function noticeOf(folders) {
  const parts = [
    'What msgsite is built of contains code of these packages, under their licences.\n',
  ];
  for (const [name, folder] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const text = await licenceIn(name, folder, license);
    parts.push(`${'-'.repeat(80)}\n${name} (${license})\n\n${text}\n`);
  }
  return parts.join('\n');
}

async function licenceIn(name, folder, license) {
  const file = (await readdir(folder)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  // The one licence that asks for no copy of itself: its authors have given the code to the public.
  if (!file && license === 'Unlicense') return 'Released into the public domain (unlicense.org).';
  if (!file) throw new Error(`${name} is bundled, but comes without a licence file.`);
  return (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
}
