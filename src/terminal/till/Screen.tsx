import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { bigText } from '../big-text.js';
import { formatPhone, formatTenge } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { PaymentResult } from '../payment/PaymentResult.js';
import { describeResult, doubtWords } from '../payment/payment-words.js';
import {
  HistoryScreen,
  KeysScreen,
  OpenScreen,
  RefundsScreen,
  SideLists,
  TotalsScreen,
} from './ListScreens.js';
import { Typed } from './SignInForm.js';
import type { PartProps } from './till-face.js';
import { sideColumns } from './till-layout.js';
import type { Field, Sale, ScreenOf, TillPayment, TillScreen } from './till-types.js';
import { refundSentences } from './till-words.js';

/** Draws the screen between the top and bottom lines. */
export function Screen(props: PartProps) {
  const { screen } = props.state;
  switch (screen.name) {
    case 'amount':
      return <AmountScreen {...props} field={screen.field} />;
    case 'asking':
      return <Asking {...props} sale={screen.sale} />;
    case 'doubt':
      return <Doubt {...props} screen={screen} />;
    case 'result':
      return <Result {...props} payment={screen.payment} />;
    case 'phone':
      return <Phone {...props} screen={screen} />;
    case 'invoice':
      return <Invoice {...props} screen={screen} />;
    case 'refund':
      return <RefundScreen {...props} screen={screen} />;
    case 'refunds':
      return <RefundsScreen {...props} screen={screen} />;
    case 'open':
      return <OpenScreen {...props} screen={screen} />;
    case 'history':
      return <HistoryScreen {...props} screen={screen} />;
    case 'totals':
      return <TotalsScreen {...props} screen={screen} />;
    case 'keys':
      return <KeysScreen {...props} />;
    // An open payment has its own screen.
    case 'payment':
      return null;
  }
}

function Asking(props: PartProps & { readonly sale: Sale }) {
  const { sale, state } = props;
  const action = sale.type === 'qr' ? 'Requesting the code from the bank' : 'Sending the invoice';
  return (
    <>
      <BigAmount {...props} text={String(sale.amount)} />
      <Text> </Text>
      <Text>
        {state.away === undefined
          ? `◐ ${action}`
          : '! The gateway is not responding. The request will be repeated.'}
      </Text>
    </>
  );
}

function Doubt({ style, screen }: PartProps & { readonly screen: ScreenOf<'doubt'> }) {
  const { sale, reason } = screen;
  const { what, advice } = doubtWords[sale.type];
  return (
    <>
      <Text>{style.colors.bold(`? IN DOUBT  ${formatTenge(sale.amount)}`)}</Text>
      <Text> </Text>
      <Text>{`${what}.`}</Text>
      <Text>{advice}</Text>
      <Text> </Text>
      <Text>{style.colors.dim(escapeForeign(reason))}</Text>
    </>
  );
}

function Result({ payment, state, style, columns }: PartProps & { readonly payment: TillPayment }) {
  const { card, kind, endedAt } = payment;
  const words = describeResult(kind, payment);
  const at = endedAt ?? state.now;
  return <PaymentResult {...{ card, words, at, columns, style }} wrap="truncate" />;
}

function Phone({ style, screen }: PartProps & { readonly screen: ScreenOf<'phone'> }) {
  return (
    <>
      <Text>{style.colors.bold('Invoice')}</Text>
      <Text> </Text>
      <Typed label="Customer’s phone" field={screen.field} style={style} />
      {screen.asked !== undefined && <Text>◐ Looking up the customer</Text>}
    </>
  );
}

function Invoice(props: PartProps & { readonly screen: ScreenOf<'invoice'> }) {
  const { client, field } = props.screen;
  const { colors } = props.style;
  const name = escapeForeign(client.name) || 'an unnamed customer';
  return (
    <>
      <Text>{`${colors.bold('Invoice to')} ${name}, ${formatPhone(client.phone)}`}</Text>
      <Text> </Text>
      <BigAmount {...props} text={field.text} rows={props.rows - 4} />
      {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
    </>
  );
}

interface RefundProps extends PartProps {
  readonly screen: Extract<TillScreen, { name: 'refund' }>;
}

/** Draws the refund of a payment. */
function RefundScreen(props: RefundProps) {
  const { screen, state, style } = props;
  const { of, field, step, amount = 0, left, reason } = screen;
  const { colors } = style;
  const about = [of.when, of.client].map(escapeForeign).filter(Boolean).join(', ');
  return (
    <>
      <Text>{`${colors.bold(`Refund of payment ${of.id}`)}`}</Text>
      <Text>{`${formatTenge(of.left)} of ${formatTenge(of.amount)} can be returned. ${about}`}</Text>
      <Text> </Text>
      {step === 'typing' && (
        <>
          <BigAmount {...props} text={field.text} rows={props.rows - 6} />
          <Text>{colors.bold('Press y to return the money to the customer.')}</Text>
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
            Press y to repeat the request under the same key. The money is returned only once.
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

interface AmountProps extends PartProps {
  readonly field: Field;
}

/** Draws the first screen of a sale. */
function AmountScreen(props: AmountProps) {
  const { field, style, rows, columns } = props;
  const { colors } = style;
  const amountRows = rows >= 14 ? 10 : rows;
  // A wide window shows the lists beside the amount, and a tall window shows them below it.
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
  /** The text that the cashier has typed. */
  readonly text: string;
}

/** Draws the typed amount in large digits and as a line of text. */
function BigAmount({ text, columns, rows, style: { colors } }: BigAmountProps) {
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

/** Formats `1500,5` as `1 500,5`. Returns text that is not a number unchanged. */
function grouped(text: string): string {
  const [, whole, rest] = /^(\d+)(,\d*)?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ' ')}${rest ?? ''}`;
}
