import { Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { formatPhone, formatTenge } from '../formats.js';
import { PaymentResult } from '../payment/PaymentResult.js';
import { describeResult } from '../payment/payment-words.js';
import { AmountScreen, BigAmount } from './AmountScreen.js';
import {
  HistoryScreen,
  KeysScreen,
  OpenScreen,
  RefundsScreen,
  TotalsScreen,
} from './ListScreens.js';
import { RefundScreen } from './RefundScreen.js';
import { Typed } from './Typed.js';
import type { Sale, ScreenOf, TillPayment } from './till-types.js';
import type { PartProps } from './till-view.js';

/** What is shown between the lines at the top and the bottom. */
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
    // An open payment has a screen of its own.
    case 'payment':
      return null;
  }
}

function Asking(props: PartProps & { readonly sale: Sale }) {
  const { sale, state } = props;
  const what = sale.type === 'qr' ? 'Asking the bank for the code' : 'Sending the invoice';
  return (
    <>
      <BigAmount {...props} text={String(sale.amount)} />
      <Text> </Text>
      <Text>
        {state.away === undefined
          ? `◐ ${what}`
          : '! The gateway does not answer. The amount is kept and asked for again.'}
      </Text>
    </>
  );
}

const doubtWords = {
  qr: [
    'It is not known whether the payment was made.',
    'Its code was not shown, so nobody can pay it: a new one can be made.',
  ],
  invoice: [
    'It is not known whether the invoice was sent.',
    'The client may have it and pay it: send no other one before this is clear.',
  ],
} as const;

function Doubt({ style, screen }: PartProps & { readonly screen: ScreenOf<'doubt'> }) {
  const { sale, reason } = screen;
  const [what, advice] = doubtWords[sale.type];
  return (
    <>
      <Text>{style.colors.bold(`? IN DOUBT  ${formatTenge(sale.amount)}`)}</Text>
      <Text> </Text>
      <Text>{what}</Text>
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
      <Typed label="Client’s phone" field={screen.field} style={style} />
      {screen.asked !== undefined && <Text>◐ Looking up the client</Text>}
    </>
  );
}

function Invoice(props: PartProps & { readonly screen: ScreenOf<'invoice'> }) {
  const { client, field } = props.screen;
  const { colors } = props.style;
  const name = escapeForeign(client.name) || 'a client without a name';
  return (
    <>
      <Text>{`${colors.bold('Invoice to')} ${name}, ${formatPhone(client.phone)}`}</Text>
      <Text> </Text>
      <BigAmount {...props} text={field.text} rows={props.rows - 4} />
      {field.fault !== undefined && <Text>{colors.red(`✗ ${escapeForeign(field.fault)}`)}</Text>}
    </>
  );
}
