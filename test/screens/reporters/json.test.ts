import { expect, it } from 'vitest';
import { createJsonReporter } from '../../../src/screens/reporters/json.js';
import { finding, nasty, outcome, print, report } from './sample.js';

it('the JSON reporter prints the documented properties and no others', () => {
  const findings = [
    finding(),
    finding({ rule: 'unknown-field', severity: 'warning', message: nasty }),
    finding({ rule: 'advised-count', severity: 'info' }),
  ];
  const reports = [report(findings), report([], 'b.screen.json')];
  const text = print(
    createJsonReporter(),
    reports,
    outcome({ files: 2, errors: 1, warnings: 1, infos: 1 }),
  );
  const location = { path: '/product/name', line: 3, column: 13 };
  expect(JSON.parse(text)).toEqual({
    valid: false,
    files: [
      {
        file: 'a.screen.json',
        valid: false,
        errors: [{ rule: 'max-length', message: findings[0]?.message, ...location }],
        warnings: [{ rule: 'unknown-field', message: nasty, ...location }],
        infos: [{ rule: 'advised-count', message: findings[2]?.message, ...location }],
        omitted: 0,
      },
      { file: 'b.screen.json', valid: true, errors: [], warnings: [], infos: [], omitted: 0 },
    ],
    summary: { files: 2, errors: 1, warnings: 1, infos: 1 },
  });
});

it('the JSON reporter prints a valid document if there are no files', () => {
  expect(JSON.parse(print(createJsonReporter(), [], outcome({ files: 0 })))).toEqual({
    valid: true,
    files: [],
    summary: { files: 0, errors: 0, warnings: 0, infos: 0 },
  });
});
