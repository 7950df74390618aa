import { Text } from 'ink';
import { formatTimeOfDay } from '../formats.js';
import type { TillPayment } from './till-types.js';
import type { PartProps } from './till-view.js';
import { cut, endLineOf, openLine, statusOf } from './till-words.js';
import { toneColors } from './tone-colors.js';

/** What is open, and how the last sales ended, as much as there is room for. */
export function SideLists({ state, style, columns, rows }: PartProps) {
  const open = state.open.slice(0, Math.max(1, Math.floor(rows / 2) - 2));
  const more = state.open.length - open.length;
  const left = rows - (open.length > 0 ? open.length + 2 : 0) - (more > 0 ? 1 : 0);
  const ended = state.ended.slice(0, Math.max(0, left - 1));
  return (
    <>
      {open.length > 0 && <Text>{style.colors.bold('Open')}</Text>}
      {open.map((payment) => (
        <OpenRow key={payment.key} {...{ state, style, columns, payment }} />
      ))}
      {more > 0 && <Text>{style.colors.dim(`and ${more} more: o`)}</Text>}
      {open.length > 0 && <Text> </Text>}
      {ended.length > 0 && <Text>{style.colors.bold('Last')}</Text>}
      {ended.map((payment) => (
        <Text key={payment.key} wrap="truncate">
          {cut(
            `${endLineOf(payment)}  ${formatTimeOfDay(payment.endedAt ?? state.now, style.zone)}`,
            columns,
          )}
        </Text>
      ))}
    </>
  );
}

interface OpenRowProps extends Pick<PartProps, 'state' | 'style' | 'columns'> {
  readonly payment: TillPayment;
}

function OpenRow({ state, style, columns, payment }: OpenRowProps) {
  const line = cut(openLine(state, payment), columns);
  const { tone, symbol } = statusOf(state, payment);
  return (
    <Text wrap="truncate">{`${style.colors[toneColors[tone]](symbol)}${line.slice(symbol.length)}`}</Text>
  );
}
