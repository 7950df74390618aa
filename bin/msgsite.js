#!/usr/bin/env node
// CommonJS: `validate-screen`, which editors and hooks wait for, starts without Node.js's loader of ES modules.
const { enableCompileCache } = require('node:module');

// Node.js 20 does not have it.
enableCompileCache?.();

const [, , command, ...words] = process.argv;
if (command === 'validate-screen' && !words.includes('--lsp'))
  require('../dist/validate-screen.cjs');
else import('../dist/main.js');
