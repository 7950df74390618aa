// All commands. The bundle contains what every start needs; the rest is in chunks beside it.
import { registry } from '../commands/registry.js';
import { run } from '../commands/run.js';
import { launch } from './launch.mjs';

void launch((options) => run(options, registry));
