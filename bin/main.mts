// Runs any command. The bundle contains the code that every command requires. The rest is in separate chunks.
import { registry } from '../commands/registry.js';
import { run } from '../commands/run.js';
import { launch } from './launch.mjs';

void launch((options) => run(options, registry));
