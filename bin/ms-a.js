#!/usr/bin/env node
// CommonJS: `validate-screen`, which editors and hooks wait for, starts without Node.js's loader of ES modules.
const { enableCompileCache } = require('node:module');
const { launch } = require('./launch.js');

// Node.js 20 does not have it.
enableCompileCache?.();

const [, , command, ...words] = process.argv;
if (command === 'validate-screen' && !words.includes('--lsp')) {
  launch(require('../dist/vs-a.cjs').run);
} else {
  import('../dist/main.js').then(({ run }) => launch(run));
}
