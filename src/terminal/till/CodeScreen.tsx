import { Box, Text } from 'ink';
import { escapeForeign } from '../../base/foreign-text.js';
import { columnsOf } from '../../base/text-columns.js';
import { formatTenge } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { CodeFacts } from './CodeFacts.js';
import { Bar, Keys, Notice, Row } from './Frame.js';
import { signInLine } from './SignInForm.js';
import { layOutCode } from './till-layout.js';
import type { TillPayment } from './till-types.js';
import type { TillViewProps } from './till-view.js';
import { cut, statusOf, timeOf } from './till-words.js';

interface CodeScreenProps extends TillViewProps {
  readonly payment: TillPayment;
}

/** An open payment: its code as large as it fits, and as many words beside it as there is room for. */
export function CodeScreen(props: CodeScreenProps) {
  const { payment, size, style } = props;
  const layout = layOutCode(payment.card.link, size, style);
  const { kind, qr, hasFrame, hasLink, rows } = layout;
  const code = qr && <Lines {...qr} />;
  if (kind === 'line') {
    return (
      <>
        <OneLine {...props} />
        {code}
        {hasFrame && <Keys {...props} />}
      </>
    );
  }
  return (
    <>
      {hasFrame && <Bar {...props} />}
      {kind === 'above' ? (
        <>
          <CodeFacts {...props} layout={layout} />
          {code}
        </>
      ) : (
        <Box height={rows} flexShrink={0} gap={2}>
          {code}
          <CodeFacts {...props} layout={layout} />
        </Box>
      )}
      {hasLink && (
        <Box flexShrink={0}>
          <Text>{payment.card.link}</Text>
        </Box>
      )}
      {kind === 'alone' && <Notice {...props} />}
      {hasFrame && <Keys {...props} />}
    </>
  );
}

/** The whole payment in a line. */
function OneLine(props: CodeScreenProps) {
  const { state, payment, size, style } = props;
  const { symbol, text } = state.notice ?? statusOf(state, payment);
  const said = state.signingIn ? signInLine(state.signingIn) : `${symbol} ${text}`;
  const amount = formatTenge(payment.card.amount);
  const line = `${timeOf(state, payment)}  ${escapeForeign(said)}`;
  const rest = cut(line, size.columns - columnsOf(amount) - 2);
  return <Row>{`${style.colors.bold(amount)}  ${rest}`}</Row>;
}
