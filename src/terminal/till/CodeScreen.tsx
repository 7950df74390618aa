import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { columnsOf } from '../../base/text-columns.js';
import { bigText, mediumText } from '../big-text.js';
import { formatAmount, formatPhone, formatTenge } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { Bar, Keys, Notice } from './Frame.js';
import { SignInForm, signInLine } from './SignInForm.js';
import { type CodeLayout, layOutCode } from './till-layout.js';
import type { TillPayment } from './till-types.js';
import type { TillViewProps } from './till-view.js';
import { cut, fitKeys, keysOf, statusOf, timeOf } from './till-words.js';
import { toneColors } from './tone-colors.js';

interface CodeScreenProps extends TillViewProps {
  readonly payment: TillPayment;
}

/** An open payment: its code as large as it fits, and as many words beside it as there is room for. */
export function CodeScreen(props: CodeScreenProps) {
  const { payment, size, style } = props;
  const layout = layOutCode(payment.card.link, size, style);
  const { kind, qr, hasFrame, hasLink } = layout;
  if (kind === 'line') {
    return (
      <>
        <OneLine {...props} />
        {qr && <Lines {...qr} />}
        {hasFrame && <Keys {...props} />}
      </>
    );
  }
  return (
    <>
      {hasFrame && <Bar {...props} />}
      <Box
        flexGrow={1}
        flexDirection={kind === 'above' ? 'column' : 'row'}
        gap={kind === 'beside' ? 2 : 0}
      >
        {kind === 'beside' && qr && <Lines {...qr} />}
        <Facts {...props} layout={layout} />
        {kind === 'above' && qr && <Lines {...qr} />}
      </Box>
      {hasLink && kind === 'beside' && <Text>{payment.card.link}</Text>}
      {hasFrame && kind === 'alone' && <Notice {...props} />}
      {hasFrame && <Keys {...props} />}
    </>
  );
}

/** The whole payment in a line. */
function OneLine(props: CodeScreenProps) {
  const { state, payment, size, style } = props;
  const { symbol, text } = state.notice ?? statusOf(state, payment);
  const said = state.signingIn ? signInLine(state.signingIn) : `${symbol} ${escapeForeign(text)}`;
  const amount = formatTenge(payment.card.amount);
  const rest = cut(`${timeOf(state, payment)}  ${said}`, size.columns - columnsOf(amount) - 2);
  return <Text wrap="truncate">{`${style.colors.bold(amount)}  ${rest}`}</Text>;
}

interface FactsProps extends CodeScreenProps {
  readonly layout: CodeLayout;
}

function Facts(props: FactsProps) {
  const { state, payment, style, layout } = props;
  const { columns, rows, kind, needed, hasLink } = layout;
  const { card } = payment;
  const { colors } = style;
  const status = state.notice ?? statusOf(state, payment);
  const isRoomy = rows >= 12 && kind !== 'above';
  const draw = kind === 'alone' ? bigText : mediumText;
  const digits = isRoomy ? draw(formatAmount(card.amount), columns) : undefined;
  const client = [card.clientName, card.clientPhone && formatPhone(card.clientPhone)]
    .filter(Boolean)
    .join(', ');
  const symbol = colors[toneColors[status.tone]](status.symbol);
  return (
    <Box
      flexDirection="column"
      width={columns}
      height={rows}
      overflow="hidden"
      paddingTop={isRoomy ? 1 : 0}
      paddingLeft={kind === 'alone' && columns >= 60 ? 2 : 0}
    >
      {digits && <Lines lines={[...digits, '']} columns={columns} />}
      <Text wrap="truncate">
        {`${colors.bold(formatTenge(card.amount))}   ${timeOf(state, payment)}${kind === 'above' && client ? `   ${client}` : ''}`}
      </Text>
      {kind !== 'above' && client && <Text>{client}</Text>}
      {isRoomy && <Text> </Text>}
      {state.signingIn ? (
        <SignInForm state={state} style={style} columns={columns} rows={isRoomy ? 6 : 2} />
      ) : (
        <Text
          wrap={kind === 'above' ? 'truncate' : 'wrap'}
        >{`${symbol} ${colors.bold(escapeForeign(status.text))}`}</Text>
      )}
      {isRoomy && <Text> </Text>}
      {isRoomy && <Text wrap="truncate">{`Payment ${card.id}`}</Text>}
      {needed && <TooSmall {...props} />}
      {!needed && !hasLink && kind === 'alone' && card.link && <Text>{card.link}</Text>}
      {!layout.hasFrame && <Shortened {...props} />}
    </Box>
  );
}

function TooSmall({ payment, layout: { needed }, style }: FactsProps) {
  const size = `${needed?.columns} × ${needed?.rows}`;
  return (
    <>
      <Text>
        {style.colors.yellow(`The window is too small for the code: ${size} are needed. The link:`)}
      </Text>
      <Text>{payment.card.link}</Text>
    </>
  );
}

/** The keys where they have no line of their own. */
function Shortened({ state, layout: { columns }, style: { colors } }: FactsProps) {
  return (
    <>
      {keysOf(state).map(({ key, does }) => (
        <Text key={key} wrap="truncate">
          {fitKeys([{ key, does }], columns).length > 0
            ? `${colors.bold(key)} ${colors.dim(does)}`
            : key}
        </Text>
      ))}
    </>
  );
}
