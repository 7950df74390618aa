import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { formatPhone } from '../formats.js';
import type { ScreenStyle } from '../payment/payment-card.js';
import type { PartProps } from './till-face.js';
import type { Field, SigningIn } from './till-types.js';

/** Signing in, in place of what was being done. */
export function SignInForm({ state: { signingIn }, style, rows }: PartProps) {
  if (!signingIn) return null;
  const { step, field, said } = signingIn;
  const { colors } = style;
  const explanation = said || `A code goes to ${formatPhone(signingIn.phone)}.`;
  return (
    <>
      {rows > 3 && <Text>{colors.bold('Sign in')}</Text>}
      {step === 'phone' && <Typed label="Cashier’s phone" field={field} style={style} />}
      {step !== 'phone' && rows > 2 && <Text>{escapeForeign(explanation)}</Text>}
      {step === 'sending' && <Text>◐ Having a code sent</Text>}
      {step === 'code' && <Typed label="Code from the SMS" field={field} style={style} isSecret />}
      {step === 'checking' && <Text>◐ Checking the code</Text>}
    </>
  );
}

/** The same in a line. */
export function signInLine({ step, field }: SigningIn): string {
  const fault = field.fault === undefined ? '' : `  ✗ ${field.fault}`;
  if (step === 'phone') return `Cashier’s phone: ${field.text}_${fault}`;
  if (step === 'code') return `Code from the SMS: ${'•'.repeat(field.text.length)}_${fault}`;
  return step === 'sending' ? '◐ Having a code sent' : '◐ Checking the code';
}

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
