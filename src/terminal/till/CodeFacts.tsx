import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { bigText, mediumText } from '../big-text.js';
import { formatAmount, formatPhone, formatTenge } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { toneColors } from '../payment/payment-words.js';
import { SignInForm } from './SignInForm.js';
import type { TillViewProps } from './till-face.js';
import type { CodeLayout } from './till-layout.js';
import type { TillPayment } from './till-types.js';
import { cut, keysOf, sandboxMark, statusOf, timeOf } from './till-words.js';

interface FactsProps extends TillViewProps {
  readonly payment: TillPayment;
  readonly layout: CodeLayout;
  /** Number of rows, which is one less than in the layout if there is a notice. */
  readonly rows: number;
}

/** Minimum number of rows for blank lines and large digits. */
const roomyRows = 12;

/** Draws the text beside a code, most important lines first. Lines that do not fit are cut off. */
export function CodeFacts(props: FactsProps) {
  const { layout, rows, state, payment, style } = props;
  const { kind, columns, needed } = layout;
  const isRoomy = layout.rows >= roomyRows && kind !== 'above' && !needed;
  const margin = kind === 'alone' && columns >= 60 ? 2 : 0;
  const part = { ...props, isRoomy, room: columns - 2 * margin };
  return (
    <Box width={columns} height={rows} flexShrink={0} paddingX={margin} overflow="hidden">
      <Box
        flexDirection="column"
        flexShrink={0}
        width={columns - 2 * margin}
        paddingTop={isRoomy ? 1 : 0}
      >
        {state.isSandbox && !layout.hasFrame && <Text>{style.colors.bold(sandboxMark)}</Text>}
        <Amount {...part} />
        {needed && <TooSmall {...props} />}
        {isRoomy && <Text> </Text>}
        {state.signingIn ? (
          <SignInForm {...{ state, style, columns }} rows={isRoomy ? roomyRows : 2} />
        ) : (
          <Status {...part} />
        )}
        {isRoomy && <Text> </Text>}
        {isRoomy && <Text wrap="truncate">{`Payment ${payment.card.id}`}</Text>}
        {!layout.hasFrame && <KeyLines {...props} />}
      </Box>
    </Box>
  );
}

interface PartProps extends FactsProps {
  readonly isRoomy: boolean;
  /** Available width, in columns. */
  readonly room: number;
}

function Amount({ payment, state, style, layout: { kind }, isRoomy, room }: PartProps) {
  const { amount, clientName, clientPhone } = payment.card;
  const draw = kind === 'alone' ? bigText : mediumText;
  const digits = isRoomy ? draw(formatAmount(amount), room) : undefined;
  const client = [clientName, clientPhone && formatPhone(clientPhone)].filter(Boolean).join(', ');
  const line = `${style.colors.bold(formatTenge(amount))}   ${timeOf(state, payment)}`;
  return (
    <>
      {digits && <Lines lines={[...digits, '']} columns={room} />}
      <Text wrap="truncate">{kind === 'above' && client ? `${line}   ${client}` : line}</Text>
      {kind !== 'above' && client && <Text>{client}</Text>}
    </>
  );
}

function Status({ state, payment, style: { colors }, layout: { kind } }: PartProps) {
  const { tone, symbol, text } = statusOf(state, payment);
  const wrap = kind === 'above' ? 'truncate' : 'wrap';
  return (
    <Text wrap={wrap}>
      {`${colors[toneColors[tone]](symbol)} ${colors.bold(escapeForeign(text))}`}
    </Text>
  );
}

function TooSmall({ payment, layout: { needed }, size, style }: FactsProps) {
  const minimum = `${needed?.columns} × ${needed?.rows}`;
  const note = `! Window too small: must be ${minimum}, is ${size.columns} × ${size.rows}`;
  return (
    <>
      <Text>{payment.card.link}</Text>
      <Text>{style.colors.yellow(note)}</Text>
    </>
  );
}

/** Draws the keys below each other, for screens without a line of keys. */
function KeyLines({ state, layout: { columns }, style: { colors } }: FactsProps) {
  return (
    <>
      {keysOf(state).map(({ key, does }) => (
        <Text key={key} wrap="truncate">
          {`${colors.bold(key)} ${colors.dim(cut(does, columns - key.length - 1))}`}
        </Text>
      ))}
    </>
  );
}
