import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { escapeForeign } from '../../base/foreign-text.js';
import { columnsOf } from '../../base/text-columns.js';
import { formatTenge } from '../formats.js';
import { Lines } from '../payment/Lines.js';
import { toneColors } from '../payment/payment-words.js';
import { CodeFacts } from './CodeFacts.js';
import { SideLists } from './ListScreens.js';
import { Screen } from './Screen.js';
import { SignInForm, signInLine } from './SignInForm.js';
import type { TillViewProps } from './till-face.js';
import { layOutCode, sideColumns } from './till-layout.js';
import type { TillPayment, TillState } from './till-types.js';
import {
  barOf,
  cut,
  fitKeys,
  frameNotice,
  gap,
  keysOf,
  noticeLine,
  sandboxMark,
  statusOf,
  timeOf,
} from './till-words.js';

/** Number of rows in the frame: the top and bottom lines, a blank row, and the notice. */
const frameRows = 4;

/** Draws the whole till. It is never larger than the window. */
export function TillView(props: TillViewProps) {
  const { state, size } = props;
  const { screen } = state;
  const payment =
    screen.name === 'payment' ? state.open.find(({ key }) => key === screen.key) : undefined;
  return (
    <Box flexDirection="column" {...{ width: size.columns, height: size.rows }} overflow="hidden">
      {payment ? <CodeScreen {...props} payment={payment} /> : <Framed {...props} />}
    </Box>
  );
}

function Framed(props: TillViewProps) {
  const { state, size, style } = props;
  const side = sideColumns(size);
  const margin = size.columns >= 60 ? 2 : 0;
  const room = {
    state,
    style,
    columns: size.columns - side - 2 * margin,
    rows: Math.max(1, size.rows - frameRows),
  };
  const main: ReactNode = state.signingIn ? <SignInForm {...room} /> : <Screen {...room} />;
  return (
    <>
      <Bar {...props} />
      <Row> </Row>
      <Box height={room.rows} overflow="hidden">
        <Part width={size.columns - side} margin={margin}>
          {main}
        </Part>
        {side > 0 && (
          <Part width={side} margin={0}>
            <SideLists {...room} columns={side - 2} />
          </Part>
        )}
      </Box>
      <Notice {...props} notice={frameNotice(state, props.doubtsCommand)} />
      <Keys {...props} />
    </>
  );
}

interface PartBoxProps {
  readonly width: number;
  readonly margin: number;
  readonly children: ReactNode;
}

/** Cuts off the end of a part that is too tall. Otherwise, ink would shrink rows and draw them over each other. */
function Part({ width, margin, children }: PartBoxProps) {
  return (
    <Box flexDirection="column" width={width} flexShrink={0} paddingX={margin} overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        {children}
      </Box>
    </Box>
  );
}

interface CodeScreenProps extends TillViewProps {
  readonly payment: TillPayment;
}

/**
 * Draws an open payment with the largest possible code and as much text as fits. A notice takes no space from the code
 * or the status. If there is no other space, it is not shown.
 */
function CodeScreen(props: CodeScreenProps) {
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
  // A sign-in takes all rows of text above a code.
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

/** Draws the payment as one line. */
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

/** Draws one line that does not shrink in a small window. */
function Row({ children }: { readonly children: string }) {
  return (
    <Box height={1} flexShrink={0}>
      <Text wrap="truncate">{children}</Text>
    </Box>
  );
}

/** Draws the top line: the shop, the cashier, and the state of the connection. */
function Bar({ state, size: { columns }, style: { colors }, cashier, at }: TillViewProps) {
  const [left, right] = barOf(state, { cashier, at, columns });
  const space = ' '.repeat(Math.max(1, columns - columnsOf(left) - columnsOf(right)));
  const end = state.away === undefined ? colors.dim(right) : colors.bold(right);
  return <Row>{`${colors.bold(left)}${space}${end}`}</Row>;
}

interface NoticeProps extends Pick<TillViewProps, 'size' | 'style'> {
  readonly notice: TillState['notice'];
}

/** Draws the line for notices. */
function Notice({ notice, size: { columns }, style: { colors } }: NoticeProps) {
  const line = noticeLine(notice, columns);
  if (!line) return <Row> </Row>;
  const { before, symbol, after, tone } = line;
  return <Row>{`${before}${colors[toneColors[tone]](symbol)}${after}`}</Row>;
}

/** Draws the keys of the current screen. */
function Keys({
  state,
  size: { columns },
  style: { colors },
}: Pick<TillViewProps, 'state' | 'size' | 'style'>) {
  return (
    <Box gap={gap} height={1} flexShrink={0} overflow="hidden">
      {fitKeys(keysOf(state), columns).map(({ key, does }) => (
        <Text key={key} wrap="truncate">{`${colors.bold(key)} ${colors.dim(does)}`}</Text>
      ))}
    </Box>
  );
}
