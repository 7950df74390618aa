// Required before a program that is built: as it ends, V8's code caches of the scripts that it loaded are written.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '../../dist/scripts');

process.on('exit', () => {
  const { loaded } = require(`${folder}/load.cjs`);
  for (const [name, { script }] of loaded) {
    writeFileSync(`${folder}/${name}.cache`, script.createCachedData());
  }
});
