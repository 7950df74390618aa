// Tells whether dist/ and public/ are what a build would make of the checkout as it is: installing has built them, and
// the tests that follow need not build them again.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** Where a build writes what it was made of. */
const stamp = 'dist/built.txt';

/** Everything that a build reads (of public/ also what it writes), and the list of the packages that npm has installed. */
const sources = [
  ...['bin', 'commands', 'public', 'schemas', 'scripts', 'src', 'test/screens/valid'].map(
    (folder) => `${folder}/**`,
  ),
  ...['LICENSE', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
];

/** To be called when a build is done. */
export function markBuilt(root) {
  writeFileSync(`${root}/${stamp}`, digestOf(root));
}

/** Tells whether neither the sources nor what was built have changed since, by content, nor Node.js by version. */
export function isBuilt(root) {
  const file = `${root}/${stamp}`;
  return existsSync(file) && readFileSync(file, 'utf8') === digestOf(root);
}

function digestOf(root) {
  const { version, platform, arch } = process;
  const hash = createHash('sha256').update([version, platform, arch].join());
  const files = globSync([...sources, 'dist/**'], { cwd: root, dot: true, ignore: stamp });
  for (const file of files.sort()) {
    const content = readFileSync(`${root}/${file}`);
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return `${hash.digest('hex')}\n`;
}
