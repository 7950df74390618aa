import { Box } from 'ink';
import type { ReactNode } from 'react';
import { CodeScreen } from './CodeScreen.js';
import { Bar, Keys, Notice, Row } from './Frame.js';
import { Screen } from './Screen.js';
import { SideLists } from './SideLists.js';
import { SignInForm } from './SignInForm.js';
import { sideColumns } from './till-layout.js';
import type { TillViewProps } from './till-view.js';
import { frameNotice } from './till-words.js';

/** Rows of the frame: the lines at the top and the bottom, one each for space and for what is to be said. */
const frameRows = 4;

/** The whole till, never larger than the window. */
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

/** What is too high is cut off at its end: rows that shrink would be drawn over each other. */
function Part({ width, margin, children }: PartBoxProps) {
  return (
    <Box flexDirection="column" width={width} flexShrink={0} paddingX={margin} overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        {children}
      </Box>
    </Box>
  );
}
