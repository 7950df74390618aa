import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../src/screens/check/contract-rules.js';
import { createSarifReporter } from '../../../src/screens/reporters/sarif.js';
import { allRules } from '../../../src/screens/rules/all-rules.js';
import { finding, nasty, outcome, print, report } from './sample.js';
import { sarifSchema } from './sarif-schema.js';

// Not in strict mode, which rejects implied types and defaults in the schema.
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const validate = ajv.compile(sarifSchema);
const rules = [...contractRules, ...allRules];

function sarif(...call: [Parameters<typeof print>[1], Parameters<typeof print>[2]]) {
  const reporter = createSarifReporter('1.2.3');
  const document = JSON.parse(print(reporter, ...call));
  expect([validate(document), validate.errors]).toEqual([true, null]);
  return document.runs[0];
}

describe('the SARIF reporter', () => {
  it('describes every rule, and refers to rules by index', () => {
    const run = sarif(
      [report([finding(), finding({ rule: 'unknown-field', severity: 'warning' })])],
      outcome({ errors: 1, warnings: 1 }),
    );
    expect(run.tool.driver).toMatchObject({ version: '1.2.3' });
    expect(run.tool.driver.rules).toHaveLength(rules.length);
    for (const { ruleId, ruleIndex } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    }
  });

  it('maps severities to levels and includes locations', () => {
    const findings = (['error', 'warning', 'info'] as const).map((severity) =>
      finding({ severity }),
    );
    const { results } = sarif([report(findings)], outcome());
    expect(results.map(({ level }: { level: string }) => level)).toEqual([
      'error',
      'warning',
      'note',
    ]);
    expect(results[0].locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: 'a.screen.json' },
        region: { startLine: 3, startColumn: 13, endLine: 3, endColumn: 20 },
      },
      logicalLocations: [
        { name: 'product.name', fullyQualifiedName: '/product/name', kind: 'property' },
      ],
    });
  });

  it('writes file names as URI references', () => {
    const names = ['my screens/Ж #1?.screen.json', '/abs/a b.json'];
    const { results } = sarif(
      names.map((name) => report([finding()], name)),
      outcome(),
    );
    const uris = results.map(
      (one: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        one.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(uris).toEqual(['my%20screens/%D0%96%20%231%3F.screen.json', 'file:///abs/a%20b.json']);
  });

  it('writes a valid document if texts contain special characters, and if there are no findings', () => {
    sarif(
      [
        report(
          [finding({ message: nasty, path: nasty, location: nasty })],
          nasty.replace('\ud800', ''),
        ),
      ],
      outcome(),
    );
    expect(sarif([report([])], outcome()).results).toEqual([]);
    expect(sarif([], outcome({ unreadable: 1 })).invocations).toEqual([
      { executionSuccessful: false },
    ]);
  });
});
