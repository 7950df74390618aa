import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readerOf } from '../../src/screens/definition/read.js';

const schemaFile = new URL('../../schemas/screen.schema.json', import.meta.url);
const script = new URL('../../scripts/lib/screen-shapes.mjs', import.meta.url);

it('a property that is added to the schema appears in the generated type and in the parsed definition', async () => {
  const { screenDefinition } = await import(script.href);
  const schema = JSON.parse(await readFile(schemaFile, 'utf8'));
  const { product, metric } = schema.definitions;
  product.properties.colour = { type: 'string', enum: ['red', 'green'], description: 'Its sign.' };
  metric.properties.goals = { type: 'array', items: { type: 'number' } };
  metric.required.push('goals');

  const { code, types } = screenDefinition(schema);

  expect(types).toContain('/** Its sign. */\nreadonly colour?: "red" | "green";\n');
  expect(types).toContain('readonly goals: readonly (number)[];\n');
  const { ScreenDefinition } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const value = {
    product: { name: 'A', entity: 'B', colour: 'red', shape: 'round' },
    kpis: [{ value: '1', label: 'One', goals: [2, '3'] }, { value: '2' }],
  };
  expect(readerOf(ScreenDefinition).read(value)).toEqual({
    product: { name: 'A', entity: 'B', colour: 'red' },
    kpis: [
      { value: '1', label: 'One', goals: [2, 0] },
      { value: '2', label: '', goals: [] },
    ],
  });
});
