import { Box, Text } from 'ink';
import { formatTimeLeft } from '../../base/time-left.js';
import { wrapWords } from '../../base/wrap-words.js';
import { mediumText } from '../big-text.js';
import { formatAmount, formatPhone, formatTenge } from '../formats.js';
import type { TerminalSize } from '../streams.js';
import { Lines } from './Lines.js';
import type { PaymentCard, ScreenStyle, StatusLine } from './payment-card.js';

export interface FactsProps {
  readonly card: PaymentCard;
  readonly status: StatusLine;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly style: ScreenStyle;
  readonly columns: number;
}

/** What is known of an open payment, with room: large digits, and blank lines. */
export function Facts({ card, status, now, style, columns }: FactsProps) {
  const { colors } = style;
  const digits = mediumText(formatAmount(card.amount), columns);
  const client = clientOf(card);
  return (
    <Box flexDirection="column" flexShrink={0} width={columns} paddingTop={digits ? 1 : 0}>
      {card.orgName && <Text wrap="truncate">{colors.dim(card.orgName)}</Text>}
      {digits && <Text> </Text>}
      {digits && <Lines lines={digits} columns={columns} />}
      <Text>{colors.bold(formatTenge(card.amount))}</Text>
      {client && <Text>{client}</Text>}
      <Text> </Text>
      <Text>{statusText(status, style)}</Text>
      <Text> </Text>
      <Text>{timeLine(card, now)}</Text>
      <Text>{`Payment     ${card.id}`}</Text>
    </Box>
  );
}

/** The same in at most so many rows; in one, amount and status share it. */
export function ShortFacts({ card, status, now, style, columns, rows }: ShortFactsProps) {
  const amount = style.colors.bold(formatTenge(card.amount));
  if (rows < 3) {
    return (
      <Box flexDirection="column" flexShrink={0} width={columns}>
        <Text wrap="truncate">{`${amount}  ${statusText(status, style)}`}</Text>
        {rows > 1 && <Text wrap="truncate">{timeLine(card, now)}</Text>}
      </Box>
    );
  }
  const client = clientOf(card);
  return (
    <Box flexDirection="column" flexShrink={0} width={columns}>
      <Text wrap="truncate">{client ? `${amount}  ${client}` : amount}</Text>
      <Lines lines={statusLines(status, style, { columns, rows: rows - 2 })} columns={columns} />
      <Text wrap="truncate">{timeLine(card, now)}</Text>
    </Box>
  );
}

export interface ShortFactsProps extends FactsProps {
  readonly rows: number;
}

const toneColors = { waiting: 'cyan', busy: 'magenta', attention: 'yellow' } as const;

/** The words stay in the terminal's own colour, which can be read on any background. */
function statusText({ tone, symbol, text }: StatusLine, { colors }: ScreenStyle): string {
  return `${colors[toneColors[tone]](symbol)} ${colors.bold(text)}`;
}

/** The same in lines, at most as many as there is room for. */
function statusLines(
  { tone, symbol, text }: StatusLine,
  { colors }: ScreenStyle,
  { columns, rows }: TerminalSize,
): string[] {
  const [first = '', ...rest] = wrapWords(`${symbol} ${text}`, columns).slice(0, rows);
  const said = colors.bold(first.slice(symbol.length + 1));
  return [`${colors[toneColors[tone]](symbol)} ${said}`, ...rest.map(colors.bold)];
}

function clientOf({ clientName, clientPhone }: PaymentCard): string {
  return [clientName, clientPhone && formatPhone(clientPhone)].filter(Boolean).join(', ');
}

function timeLine({ expiresAt, createdAt }: PaymentCard, now: number): string {
  if (expiresAt === undefined) return `Waiting     ${formatTimeLeft(now - createdAt)}`;
  return `Time left   ${formatTimeLeft(expiresAt - now)}`;
}
