import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { CodeScreen } from './CodeScreen.js';
import { Bar, Keys, Notice } from './Frame.js';
import { Screen } from './Screen.js';
import { Side } from './Side.js';
import { SignInForm } from './SignInForm.js';
import { sideColumns } from './till-layout.js';
import type { TillViewProps } from './till-view.js';

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
      <Text> </Text>
      <Box flexGrow={1} overflow="hidden">
        <Box flexDirection="column" width={size.columns - side} paddingX={margin} overflow="hidden">
          {main}
        </Box>
        {side > 0 && <Side {...room} columns={side - 2} />}
      </Box>
      <Notice {...props} />
      <Keys {...props} />
    </>
  );
}
