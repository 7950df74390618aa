import { describe, expect, it } from 'vitest';
import { checkContract as checkInto } from '../../src/screens/check/contract.js';
import type { Problem } from '../../src/screens/findings/finding.js';
import { gatherProblems } from '../../src/screens/findings/gather.js';
import { allRules } from '../../src/screens/rules/all-rules.js';
import { lint as lintInto } from '../../src/screens/rules/lint.js';

const checkContract = (data: unknown): readonly Problem[] =>
  gatherProblems((add) => checkInto(data, add)).problems;
const lint = (data: unknown): readonly Problem[] =>
  gatherProblems((add) => lintInto(data, {}, add)).problems;

const product = { name: 'Contracts', entity: 'contract' };
const complete = (example: object): object => ({ product, ...example });

describe.each(allRules)('the rule $id', (rule) => {
  const { good, bad, finds } = rule.examples();

  it('reports its bad example at the expected paths', () => {
    const found = lint(complete(bad)).filter((problem) => problem.rule === rule.id);
    expect(found.map(({ path }) => path)).toEqual(finds);
    for (const problem of found) {
      expect(problem.severity).toBe(rule.severity);
      expect(problem.message).toMatch(/^\S.*[.?]$/s);
    }
  });

  it('accepts its good example', () => {
    expect(lint(complete(good)).filter((problem) => problem.rule === rule.id)).toEqual([]);
  });

  it('has examples that satisfy the contract', () => {
    expect(checkContract(complete(bad))).toEqual([]);
    expect(checkContract(complete(good))).toEqual([]);
  });

  it('has an ID, a summary and a description', () => {
    expect(rule.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(rule.summary).toMatch(/^[A-Za-z].*[^.]$/);
    expect(rule.documentation.length).toBeGreaterThan(100);
  });
});

describe('the list of rules', () => {
  it('contains each rule once', () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
  });

  it("has no warnings for a rule's good example", () => {
    for (const rule of allRules) {
      const warnings = lint(complete(rule.examples().good)).filter(
        ({ severity }) => severity === 'warning',
      );
      expect({ rule: rule.id, warnings }).toEqual({ rule: rule.id, warnings: [] });
    }
  });
});

it('the rule invalid-date reports nonexistent days only in texts that have the form of a date', () => {
  const dates = ['2026-02-30', '2026-02-30T10:00', '2026-02-28\n', '2026-02-28x'];
  const events = dates.map((date) => ({ date, title: 'Report' }));
  const found = lint(complete({ calendar: { events } })).filter(
    ({ rule }) => rule === 'invalid-date',
  );
  expect(found.map(({ path }) => path)).toEqual([
    '/calendar/events/0/date',
    '/calendar/events/1/date',
  ]);
});
