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
import { cut, noticeLine, sandboxMark, statusOf, timeOf } from './till-words.js';

interface CodeScreenProps extends TillViewProps {
  readonly payment: TillPayment;
}

/**
 * Shows an open payment: its code as large as possible, and as many words beside it as fit. A notice takes no room from
 * the code or the status; without other room, it is not shown.
 */
export function CodeScreen(props: CodeScreenProps) {
  const { state, payment, size, style } = props;
  const layout = layOutCode(payment.card.link, size, style);
  const { kind, qr, hasFrame, hasLink } = layout;
  const code = qr && <Lines {...qr} />;
  const keys = hasFrame && <Keys {...props} />;
  const notice = <Notice {...props} notice={state.notice} />;
  const noticeIn = noticeLine(state.notice, size.columns) && layout.noticeIn;
  if (kind === 'line') {
    return (
      <>
        <OneLine {...props} />
        {code}
        {noticeIn && notice}
        {keys}
      </>
    );
  }
  // A sign-in needs all rows of words above a code.
  const isInWords = noticeIn === 'words' && !(kind === 'above' && state.signingIn);
  const rows = layout.rows - (isInWords ? 1 : 0);
  const words = <CodeFacts {...props} layout={layout} rows={rows} />;
  return (
    <>
      {hasFrame && <Bar {...props} />}
      {kind === 'beside' && (
        <Box height={rows} flexShrink={0} gap={2}>
          {code}
          {words}
        </Box>
      )}
      {kind !== 'beside' && words}
      {isInWords && notice}
      {kind === 'above' && code}
      {noticeIn === 'link' && notice}
      {hasLink && noticeIn !== 'link' && (
        <Box flexShrink={0}>
          <Text>{payment.card.link}</Text>
        </Box>
      )}
      {kind === 'alone' && notice}
      {keys}
    </>
  );
}

/** The whole payment in a line. */
function OneLine(props: CodeScreenProps) {
  const { state, payment, size, style } = props;
  const { symbol, text } = statusOf(state, payment);
  const said = state.signingIn ? signInLine(state.signingIn) : `${symbol} ${text}`;
  const amount = formatTenge(payment.card.amount);
  const mark = state.isSandbox ? [sandboxMark] : [];
  const line = [timeOf(state, payment), ...mark, escapeForeign(said)].join('  ');
  const rest = cut(line, size.columns - columnsOf(amount) - 2);
  return <Row>{`${style.colors.bold(amount)}  ${rest}`}</Row>;
}
