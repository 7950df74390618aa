import fc from 'fast-check';

/** Numbers at the limits of a definition, and ordinary numbers. */
export const anyNumber = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(0, 1, -1, 1e-9, -1e-9, 5e-324, 1e21, -1e21, 0.1, 0.3, 90, 92, 999_999.99),
  fc.constantFrom(
    123_456_789_012_345,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.MAX_SAFE_INTEGER,
  ),
);

/** Labels of points, including long, unbroken, right-to-left, emoji and empty ones. */
export const anyLabel = fc.constantFrom(
  '',
  'a',
  'Mon',
  'вт',
  'Отделение номер 13 по городу и области 1',
  'Unbrokenunbrokenunbrokenunbrokenunbroken',
  'مبيعات الربع الأول من السنة الماضية',
  '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
  '四半期の売上高四半期の売上高四半期の売上高',
  'Қыркүйек айының қорытындысы',
  'WWWWWWWWWWWWWWWWWWWW',
  '<b>&amp;</b>',
);

const anyText = fc.constantFrom('none', '12 %', '1 200', '$40', '−3.5 млн', '4 of 7', 'н/д', '1e9');

/** A point of a chart that a definition may contain. */
export const anyPoint = fc.record({
  label: anyLabel,
  value: fc.oneof({ weight: 4, arbitrary: anyNumber }, { weight: 1, arbitrary: anyText }),
});
