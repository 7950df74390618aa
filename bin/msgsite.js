#!/usr/bin/env node
// CommonJS, so that `validate-screen`, which editors and hooks wait for, starts without the ES module loader.
const { enableCompileCache } = require('node:module');

// Not available in Node.js 20.
enableCompileCache?.();

const [, , command, ...words] = process.argv;
if (command === 'validate-screen' && !words.includes('--lsp'))
  require('../dist/validate-screen.cjs');
else import('../dist/main.js');
