import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { createJunitReporter } from '../../../src/screens/reporters/junit.js';
import { finding, nasty, outcome, print, report } from './sample.js';
import { type Element, parseXml } from './xml.js';

const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8');

/** Returns the violations of the schema in a document. */
async function faultsOf(contents: string): Promise<readonly string[]> {
  const xml = [{ fileName: 'report.xml', contents }];
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ message }) => message);
}

/** Checks that the counts of a suite match its test cases, which a schema cannot express. */
function checkCounts({ attributes, children: cases }: Element): void {
  const casesWith = (kind: string): number =>
    cases.filter((one) => one.children.some(({ name }) => name === kind)).length;
  expect(Number(attributes.tests)).toBe(cases.length);
  expect(Number(attributes.failures)).toBe(casesWith('failure'));
  expect(Number(attributes.errors)).toBe(casesWith('error'));
}

async function junit(...call: [Parameters<typeof print>[1], Parameters<typeof print>[2]]) {
  const text = print(createJunitReporter(), ...call);
  expect(await faultsOf(text)).toEqual([]);
  const document = parseXml(text);
  document.children.forEach(checkCounts);
  return document;
}

describe('the JUnit reporter', () => {
  it('writes a failed test case for each error, and a passed one for a valid file', async () => {
    const document = await junit(
      [report([finding(), finding({ severity: 'warning' })]), report([], 'b.screen.json')],
      outcome({ files: 2, errors: 1, warnings: 1 }),
    );
    expect(
      document.children.map(({ attributes }) => [
        attributes.name,
        attributes.tests,
        attributes.failures,
      ]),
    ).toEqual([
      ['a.screen.json', '2', '1'],
      ['b.screen.json', '1', '0'],
    ]);
  });

  it('writes well-formed XML if texts contain special characters', async () => {
    const document = await junit(
      [report([finding({ message: nasty, location: nasty, path: `/${nasty}` })], `a&"<${nasty}`)],
      outcome({ errors: 1 }),
    );
    const failure = document.children[0]?.children[0]?.children[0];
    expect(failure?.attributes.message).toContain('50% <b>"a" & \'b\'</b>');
    expect(failure?.text).toContain('::error::x\\u0007\ufffd');
  });

  it('writes an error for an unreadable file', async () => {
    const document = await junit(
      [{ ...report([finding({ rule: 'unreadable' })]), readable: false }],
      outcome({ errors: 1, unreadable: 1 }),
    );
    expect(document.children[0]?.children[0]?.children[0]?.name).toBe('error');
  });

  it('writes a failed test case if there are too many warnings', async () => {
    const document = await junit(
      [report([finding({ severity: 'warning' })])],
      outcome({ warnings: 1, maxWarnings: 0 }),
    );
    expect(document.children.at(-1)?.attributes).toMatchObject({
      name: '--max-warnings',
      failures: '1',
    });
  });

  it('writes an empty root element if there are no files', async () => {
    expect((await junit([], outcome({ files: 0 }))).children).toEqual([]);
  });

  it.each([
    ['a misplaced element', '<testcase name="a" classname="b"><testsuite name="c"/></testcase>'],
    ['a missing attribute', '<testcase name="a"/>'],
    ['a negative count', '<testcase name="a" classname="b" assertions="-1"/>'],
  ])('is tested with a schema that rejects %s', async (_, inner) => {
    const report = `<testsuites><testsuite name="s">${inner}</testsuite></testsuites>`;
    expect(await faultsOf(report)).not.toEqual([]);
  });
});
