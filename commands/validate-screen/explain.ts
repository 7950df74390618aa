import { AppError } from '../../src/base/errors.js';
import { wrapWords } from '../../src/base/wrap-words.js';
import { contractRules } from '../../src/screens/check/contract-rules.js';
import { allRules } from '../../src/screens/rules/all-rules.js';
import { didYouMean } from '../../src/screens/text/suggest.js';
import type { Output } from '../../src/terminal/output.js';

/** Prints what a rule is about; an unknown one is a `usage` error that suggests the nearest. */
export function explain(id: string, output: Output): void {
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
  return new AppError('usage', `There is no rule ${id}.${didYouMean(id, ids)}`, {
    hint: `Rules: ${ids.join(', ')}.`,
  });
}

function show(example: object): string {
  return JSON.stringify(example, null, 2).replace(/^/gm, '  ');
}
