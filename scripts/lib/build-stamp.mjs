// Determines whether dist/ and public/ are up to date, so that tests after an installation do not build again.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** The file in which a build records its inputs and outputs. */
const stamp = 'dist/built.txt';

/** Everything that a build reads, the files that it writes to public/, and the list of installed packages. */
const sources = [
  ...['bin', 'commands', 'public', 'schemas', 'scripts', 'src'].map((folder) => `${folder}/**`),
  ...['LICENSE', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
];

/** Records a finished build. */
export function markBuilt(root) {
  writeFileSync(`${root}/${stamp}`, digestOf(root));
}

/** Returns true if sources, outputs and Node.js are the same as after the last build. */
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
