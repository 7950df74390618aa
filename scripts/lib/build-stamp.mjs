// Whether dist/ is what building would make of the checkout as it stands: installing has built it, and tests that
// come after need not build it again.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** Where a build writes what it was made of. */
const stamp = 'dist/built.txt';

/** Everything that a build reads, and the list of the packages that npm has installed. */
const sources = [
  ...['bin', 'commands', 'schemas', 'scripts', 'src'].map((folder) => `${folder}/**`),
  ...['LICENSE', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
];

/** To be called when a build is done. */
export function markBuilt(root) {
  writeFileSync(`${root}/${stamp}`, digestOf(root));
}

/** Whether neither the sources nor dist/ have changed since, by their content, and Node.js is the same. */
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
