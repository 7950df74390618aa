import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import type { ScreenStyle } from '../payment/payment-card.js';
import type { Field } from './till-types.js';

interface TypedProps {
  readonly label: string;
  readonly field: Field;
  readonly style: ScreenStyle;
  /** Nobody should read it over a shoulder. */
  readonly isSecret?: boolean;
}

/** A field that is being typed into, and what was wrong with it. */
export function Typed({ label, field, style: { colors }, isSecret = false }: TypedProps) {
  const text = isSecret ? '•'.repeat(field.text.length) : field.text;
  return (
    <>
      <Text>{`${colors.bold(`${label}:`)} ${text}${colors.inverse(' ') === ' ' ? '_' : colors.inverse(' ')}`}</Text>
      {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
    </>
  );
}
