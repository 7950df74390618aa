import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { formatTenge } from '../formats.js';
import { BigAmount } from './AmountScreen.js';
import type { TillScreen } from './till-types.js';
import type { PartProps } from './till-view.js';
import { refundSentences } from './till-words.js';

interface RefundProps extends PartProps {
  readonly screen: Extract<TillScreen, { name: 'refund' }>;
}

/** One payment, and how much of it goes back. */
export function RefundScreen(props: RefundProps) {
  const { screen, state, style } = props;
  const { of, field, step, amount = 0, left, reason } = screen;
  const { colors } = style;
  const about = [of.when, of.client].map(escapeForeign).filter(Boolean).join(', ');
  return (
    <>
      <Text>{`${colors.bold(`Return of payment ${of.id}`)}`}</Text>
      <Text>{`${formatTenge(of.left)} of ${formatTenge(of.amount)} can be returned. ${about}`}</Text>
      <Text> </Text>
      {step === 'typing' && (
        <>
          <BigAmount {...props} text={field.text} rows={props.rows - 6} />
          <Text>{colors.bold('y returns it to the client.')}</Text>
          {refundSentences(state, of).map((sentence) => (
            <Text key={sentence}>{sentence}</Text>
          ))}
        </>
      )}
      {step === 'returning' && <Text>{`◐ Returning ${formatTenge(amount)}`}</Text>}
      {step === 'doubt' && (
        <>
          <Text>{colors.bold(`? IN DOUBT  ${formatTenge(amount)}`)}</Text>
          <Text>It is not known whether the money was returned.</Text>
          <Text>
            y asks again under the same key: it is returned once, however often it is asked for.
          </Text>
          {reason !== undefined && <Text>{colors.dim(escapeForeign(reason))}</Text>}
        </>
      )}
      {step === 'returned' && <Text>{colors.green(`✓ Returned  ${formatTenge(amount)}`)}</Text>}
      {step === 'returned' && left !== undefined && (
        <Text>{`Left        ${formatTenge(left)}`}</Text>
      )}
      {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
    </>
  );
}
