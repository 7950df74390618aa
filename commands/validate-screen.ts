import { AppError, exitCodes } from '../src/base/errors.js';
import { wrapWords } from '../src/base/text-columns.js';
import { contractRules } from '../src/screens/check/contract-rules.js';
import { allRules } from '../src/screens/rules/all-rules.js';
import { didYouMean } from '../src/screens/text/quote.js';
import type { Output } from '../src/terminal/output.js';
import type { Command } from './command.js';
import { maxSizeOption } from './flags.js';
import { readOptions } from './validate-screen/options.js';
import { validateOnce } from './validate-screen/validate-once.js';
import { watch } from './validate-screen/watch.js';

export { helperFlag } from '../src/screens/check/check-file.js';
export { helpParent } from '../src/screens/check/check-files.js';

export const command: Command = {
  description:
    'Check screen definitions against the screen contract, and report parts that do not work as written. Exit code: 0 valid, 1 errors or more warnings than allowed, 2 invalid usage or a file that cannot be read.',
  arguments: [
    {
      name: '[files...]',
      description:
        'files, globs, folders (with *.screen.json files) or - for standard input (default: the working directory)',
    },
  ],
  options: [
    {
      flags: '--format <format>',
      description:
        'pretty, json, sarif, junit, github or markdown; FORMAT=FILE writes to a file (repeatable)',
      repeatable: true,
    },
    { flags: '--max-warnings <number>', description: 'fail if there are more warnings than this' },
    { flags: '--quiet', description: 'hide notes' },
    {
      flags: '--no-warnings',
      description: 'hide notes and warnings (hidden warnings still count)',
    },
    { flags: '--all', description: 'show every finding, even for many files' },
    {
      flags: '--fix',
      description: 'apply every unambiguous fix; with -, print the fixed text to stdout',
    },
    { flags: '--fix-dry-run', description: 'show what --fix would change' },
    {
      flags: '--stdin-filename <name>',
      description: 'file name to use in reports for standard input',
    },
    { flags: '--explain <rule>', description: 'explain a rule, with examples' },
    {
      flags: '--config <file>',
      description: 'configuration file (default: .msgsite-screens.json)',
    },
    {
      flags: '--write-baseline',
      description: 'accept all current warnings and notes in the baseline of the configuration',
    },
    {
      flags: '--prune-baseline',
      description: 'remove findings that no longer occur from the baseline',
    },
    { flags: '--stats', description: 'print how long each phase, rule and file took' },
    maxSizeOption,
    { flags: '--watch', description: 'check again whenever a file changes' },
    {
      flags: '--lsp',
      description: 'serve an editor over the Language Server Protocol on stdin and stdout',
    },
    { flags: '--stdio', description: 'accepted with --lsp because editors add it; has no effect' },
  ],
  examples: [
    {
      command: 'msgsite validate-screen screens/',
      description: 'Check every *.screen.json file below a folder',
    },
    {
      command: "msgsite validate-screen 'screens/**/*.json' --max-warnings 0",
      description: 'Check files by glob and fail on any warning',
    },
    {
      command: 'msgsite validate-screen screens/ --format github --format sarif=screens.sarif',
      description: 'Annotate a pull request and write a report for code scanning',
    },
    {
      command: 'msgsite validate-screen - --stdin-filename new.screen.json < new.screen.json',
      description: 'Check text from standard input under a file name',
    },
    {
      command: 'msgsite validate-screen screens/ --fix-dry-run',
      description: 'Preview what --fix would change',
    },
    {
      command: 'msgsite validate-screen --explain management-metric',
      description: 'Explain a rule',
    },
  ],
  async run(context, input) {
    const options = readOptions(input);
    if (options.explain !== undefined) {
      explain(options.explain, context.output);
      return exitCodes.done;
    }
    if (options.lsp) {
      const { serveEditor } = await import('../src/screens/language-server/server.js');
      const { stdin: input, stdout: output, clock, signal } = context;
      const { maxBytes } = options;
      const exitCode = await serveEditor({ input, output, clock, signal, maxBytes });
      return exitCode ?? exitCodes.interrupted;
    }
    if (!options.watch) return validateOnce(context, options);
    return watch(context, options, () => validateOnce(context, options));
  },
};

/** Prints the documentation of a rule. Throws `usage` with a suggestion if the rule is unknown. */
function explain(id: string, output: Output): void {
  const contractRule = contractRules.find((rule) => rule.id === id);
  const lintRule = allRules.find((rule) => rule.id === id);
  const rule = contractRule ?? lintRule;
  if (rule === undefined) throw unknownRule(id);
  const { severity, summary, documentation } = rule;
  const examples = lintRule?.examples();
  const value = {
    rule: id,
    severity,
    summary,
    documentation,
    ...(examples && { good: examples.good, bad: examples.bad }),
  };
  output.result(value, () => {
    const { bold, dim, red, green } = output.colors;
    const parts = [
      `${bold(id)} ${dim(`(${severity})`)}`,
      `${summary}.`,
      wrapWords(documentation, Math.min(output.width, 100)).join('\n'),
    ];
    if (examples) {
      parts.push(
        `${red('Reported:')}\n\n${show(examples.bad)}`,
        `${green('Fine:')}\n\n${show(examples.good)}`,
      );
    }
    return parts.join('\n\n');
  });
}

function unknownRule(id: string): AppError {
  const ids = [...contractRules, ...allRules].map((rule) => rule.id);
  return new AppError('usage', `Unknown rule ${id}.${didYouMean(id, ids)}`, {
    hint: `Rules: ${ids.join(', ')}.`,
  });
}

function show(example: object): string {
  return JSON.stringify(example, null, 2).replace(/^/gm, '  ');
}
