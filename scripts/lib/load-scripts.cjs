// What a start needs first, loaded as scripts with V8's code cache beside them. The build puts this file
// beside the scripts and fills in the table.
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/** Chunk -> the script that it lies in. */
const scriptOf = {};

const loaded = new Map();

/** What a script exports. It is run once, whoever asks for it. */
function load(name) {
  if (!loaded.has(name)) loaded.set(name, run(name));
  return loaded.get(name).exports;
}

function run(name) {
  const file = `${__dirname}/${name}.script`;
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    // One that was made by another version of Node.js is refused by V8, and the script is then compiled.
    cachedData: readFileSync(`${__dirname}/${name}.cache`),
  });
  const module = { exports: {} };
  const given = { require: requireChunk, importChunk, lazy };
  script.runInThisContext()(module, module.exports, given);
  return { script, exports: module.exports };
}

const madeChunks = new Map();

/** The exports of a chunk that lies in a script. The ES module of its name has the same ones. */
function chunk(name) {
  if (!madeChunks.has(name)) madeChunks.set(name, load(scriptOf[name]).chunks[name]());
  return madeChunks.get(name);
}

/** What scripts require: chunks of other scripts, and what Node.js has. */
function requireChunk(name) {
  return name in scriptOf ? chunk(name) : require(name);
}

/** `import()` for scripts. */
async function importChunk(name) {
  return name in scriptOf ? chunk(name) : import(`../${name}`);
}

/** A module of Node.js, loaded by its first use: many a one takes longer than a command's own code. */
function lazy(name) {
  let found;
  return () => (found ??= require(name));
}

exports.load = load;
exports.chunk = chunk;
/** Scripts by name, for the build. */
exports.loaded = loaded;
