import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { formatPhone } from '../formats.js';
import { Typed } from './Typed.js';
import type { SigningIn } from './till-types.js';
import type { PartProps } from './till-view.js';

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
