import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { formatPhone } from '../formats.js';
import type { ScreenStyle } from '../payment/payment-card.js';
import type { PartProps } from './till-face.js';
import type { Field, SigningIn } from './till-types.js';

/** Draws the sign-in in place of the current screen. */
export function SignInForm({ state: { signingIn }, style, rows }: PartProps) {
  if (!signingIn) return null;
  const { step, field, said } = signingIn;
  const { colors } = style;
  const explanation = said || `A code is being sent to ${formatPhone(signingIn.phone)}.`;
  return (
    <>
      {rows > 3 && <Text>{colors.bold('Sign in')}</Text>}
      {step === 'phone' && <Typed label="Cashier’s phone" field={field} style={style} />}
      {step !== 'phone' && rows > 2 && <Text>{escapeForeign(explanation)}</Text>}
      {step === 'sending' && <Text>◐ Sending a code</Text>}
      {step === 'code' && <Typed label="Code from the SMS" field={field} style={style} isSecret />}
      {step === 'checking' && <Text>◐ Checking the code</Text>}
    </>
  );
}

/** Returns the sign-in as one line. */
export function signInLine({ step, field }: SigningIn): string {
  const fault = field.fault === undefined ? '' : `  ✗ ${field.fault}`;
  if (step === 'phone') return `Cashier’s phone: ${field.text}_${fault}`;
  if (step === 'code') return `Code from the SMS: ${'•'.repeat(field.text.length)}_${fault}`;
  return step === 'sending' ? '◐ Sending a code' : '◐ Checking the code';
}

interface TypedProps {
  readonly label: string;
  readonly field: Field;
  readonly style: ScreenStyle;
  /** True to show dots instead of the text. */
  readonly isSecret?: boolean;
}

/** Draws a field with its text and its error message. */
export function Typed({ label, field, style: { colors }, isSecret = false }: TypedProps) {
  const text = isSecret ? '•'.repeat(field.text.length) : field.text;
  return (
    <>
      <Text>{`${colors.bold(`${label}:`)} ${text}${colors.inverse(' ') === ' ' ? '_' : colors.inverse(' ')}`}</Text>
      {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
    </>
  );
}
