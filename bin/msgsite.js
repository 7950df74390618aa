#!/usr/bin/env node
// CommonJS, because an ES module would make Node.js start its loader of them for every command. What
// happens from here on is in launch.mjs, which the build puts into a script with all that it imports.
require('../dist/scripts/load.cjs').load('start').launch();
