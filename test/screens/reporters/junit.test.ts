import { describe, expect, it } from 'vitest';
import { createJunitReporter } from '../../../src/screens/reporters/junit.js';
import { finding, nasty, outcome, print, report } from './sample.js';
import { type Element, parseXml } from './xml.js';

/** The rules of the JUnit schema that CI systems share: what stands where, with which attributes. */
const schema: Readonly<Record<string, { children: string[]; required: string[]; allowed: string[] }>> = {
  testsuites: {
    children: ['testsuite'],
    required: [],
    allowed: ['name', 'time', 'tests', 'failures', 'errors', 'disabled'],
  },
  testsuite: {
    children: ['properties', 'testcase', 'system-out', 'system-err'],
    required: ['name', 'tests'],
    allowed: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'file', 'hostname'],
  },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    required: ['name', 'classname'],
    allowed: ['name', 'classname', 'time', 'file', 'line', 'assertions', 'status'],
  },
  failure: { children: [], required: [], allowed: ['message', 'type'] },
  error: { children: [], required: [], allowed: ['message', 'type'] },
  'system-out': { children: [], required: [], allowed: [] },
};

function checkSchema({ name, attributes, children }: Element): void {
  const rule = schema[name];
  if (rule === undefined) throw new Error(`<${name}> is not JUnit`);
  expect(rule.allowed).toEqual(expect.arrayContaining(Object.keys(attributes)));
  expect(Object.keys(attributes)).toEqual(expect.arrayContaining(rule.required));
  for (const count of ['tests', 'failures', 'errors', 'skipped']) {
    if (attributes[count] !== undefined) expect(attributes[count]).toMatch(/^\d+$/);
  }
  for (const child of children) {
    expect(rule.children).toContain(child.name);
    checkSchema(child);
  }
  if (name !== 'testsuite') return;
  const cases = children.filter((child) => child.name === 'testcase');
  const with_ = (kind: string): number =>
    cases.filter((one) => one.children.some((child) => child.name === kind)).length;
  expect(Number(attributes.tests)).toBe(cases.length);
  expect(Number(attributes.failures)).toBe(with_('failure'));
  expect(Number(attributes.errors)).toBe(with_('error'));
}

const junit = (...call: [Parameters<typeof print>[1], Parameters<typeof print>[2]]): Element => {
  const document = parseXml(print(createJunitReporter(), ...call));
  checkSchema(document);
  return document;
};

describe('junit', () => {
  it('makes a failed case of each error and a passed one of a valid file', () => {
    const document = junit(
      [report([finding(), finding({ severity: 'warning' })]), report([], 'b.screen.json')],
      outcome({ files: 2, errors: 1, warnings: 1 }),
    );
    expect(document.children.map(({ attributes }) => [attributes.name, attributes.tests, attributes.failures])).toEqual([
      ['a.screen.json', '2', '1'],
      ['b.screen.json', '1', '0'],
    ]);
  });

  it('stays well-formed whatever a file says', () => {
    const document = junit(
      [report([finding({ message: nasty, place: nasty, path: `/${nasty}` })], `a&"<${nasty}`)],
      outcome({ errors: 1 }),
    );
    const failure = document.children[0]?.children[0]?.children[0];
    expect(failure?.attributes.message).toContain('50% <b>"a" & \'b\'</b>');
    expect(failure?.text).toContain('::error::x\ufffd');
  });

  it('makes an error of a file that cannot be read', () => {
    const document = junit(
      [{ ...report([finding({ rule: 'unreadable' })]), readable: false }],
      outcome({ errors: 1, unreadable: 1 }),
    );
    expect(document.children[0]?.children[0]?.children[0]?.name).toBe('error');
  });

  it('fails a case of its own where there are too many warnings', () => {
    const document = junit(
      [report([finding({ severity: 'warning' })])],
      outcome({ warnings: 1, maxWarnings: 0 }),
    );
    expect(document.children.at(-1)?.attributes).toMatchObject({ name: '--max-warnings', failures: '1' });
  });

  it('is one empty element where there are no files', () => {
    expect(junit([], outcome({ files: 0 })).children).toEqual([]);
  });
});
