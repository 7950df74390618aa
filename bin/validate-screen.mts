// Runs only `validate-screen`, bundled as one CommonJS file. It starts quickly, can be loaded by its threads and child
// processes, and requires no installation in CI.
import type { RegisteredCommand } from '../commands/command.js';
import { run } from '../commands/run.js';
import { command, helperFlag, helpParent } from '../commands/validate-screen.js';
import { launch } from './launch.mjs';

const path = 'validate-screen';

const validateScreen: RegisteredCommand = {
  path,
  summary: 'check screen definitions against the screen contract',
  load: async () => command,
  hidden: false,
};

if (process.argv[2] === helperFlag) void helpParent();
else {
  // CI runs this file without the command name.
  if (process.argv[2] !== path) process.argv.splice(2, 0, path);
  void launch((options) => run(options, { commands: [validateScreen], groups: {} }));
}
