import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { bigText } from '../big-text.js';
import { Lines } from '../payment/Lines.js';
import { SideLists } from './SideLists.js';
import { sideColumns } from './till-layout.js';
import type { Field } from './till-types.js';
import type { PartProps } from './till-view.js';

interface AmountProps extends PartProps {
  readonly field: Field;
}

/** Where every sale begins. */
export function AmountScreen(props: AmountProps) {
  const { field, style, rows, columns } = props;
  const { colors } = style;
  const amountRows = rows >= 14 ? 10 : rows;
  // Beside the amount there is room for the lists in a wide window; below it in a high one.
  const below = sideColumns({ columns: columns + 4, rows }) === 0 ? rows - amountRows : 0;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box flexDirection="column" flexShrink={0} minHeight={below >= 3 ? amountRows : 1}>
        <Text>{colors.bold('Amount')}</Text>
        {rows >= 10 && <Text> </Text>}
        <BigAmount {...props} text={field.text} rows={rows - 3} />
        {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
      </Box>
      {below >= 3 && <SideLists {...props} rows={below} />}
    </Box>
  );
}

interface BigAmountProps extends PartProps {
  /** As it is typed. */
  readonly text: string;
}

/** An amount as it is typed, in digits that can be read across the counter, and in a line. */
export function BigAmount({ text, columns, rows, style: { colors } }: BigAmountProps) {
  const shown = grouped(text.replace('.', ','));
  const digits = rows >= 6 ? bigText(shown === '' ? '0' : shown, columns) : undefined;
  const cursor = colors.inverse(' ') === ' ' ? '_' : colors.inverse(' ');
  const paint = shown === '' ? colors.dim : (line: string) => line;
  return (
    <>
      {digits && <Lines lines={[...digits.map(paint), '']} columns={columns} />}
      <Text>
        {shown === ''
          ? `${cursor} ${colors.dim('₸, then Enter')}`
          : `${colors.bold(`${shown}`)}${cursor} ₸`}
      </Text>
    </>
  );
}

/** `1500,5` -> `1 500,5`; what is no number yet stays as it was typed. */
function grouped(text: string): string {
  const [, whole, rest] = /^(\d+)(,\d*)?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ' ')}${rest ?? ''}`;
}
