import { Box, Text } from 'ink';
import { formatTimeLeft } from '../../base/time-left.js';
import { mediumText } from '../big-text.js';
import { formatAmount, formatPhone, formatTenge } from '../formats.js';
import type { TerminalSize } from '../streams.js';
import { Lines } from './Lines.js';
import { layOut } from './live-layout.js';
import type { PaymentCard, ScreenStyle, StatusLine } from './payment-card.js';

export interface LivePaymentProps {
  readonly card: PaymentCard;
  readonly status: StatusLine;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What keys do, one sentence each: `c cancels the invoice`. */
  readonly keys: readonly string[];
  readonly size: TerminalSize;
  readonly style: ScreenStyle;
}

/** The screen of an open payment: code, amount, what is being waited for, time left, link, keys. */
export function LivePayment(props: LivePaymentProps) {
  const { card, size, style, keys } = props;
  const layout = layOut(card.link, size, style);
  const { colors } = style;
  return (
    <Box flexDirection="column" width={size.columns}>
      {layout.kind === 'beside' ? (
        <Box gap={2}>
          <Lines {...layout.qr} />
          <Facts {...props} columns={size.columns - layout.qr.columns - 2} large />
        </Box>
      ) : (
        <Facts
          {...props}
          columns={size.columns}
          large={layout.kind === 'text' && layout.note === undefined}
        />
      )}
      {layout.kind === 'below' && <Lines {...layout.qr} />}
      {layout.kind === 'text' && layout.note && <Text>{colors.yellow(layout.note)}</Text>}
      <Text>{card.link ?? ' '}</Text>
      <Text wrap="truncate">{colors.dim(keys.join(' · '))}</Text>
    </Box>
  );
}

const toneColors = { waiting: 'cyan', busy: 'magenta', attention: 'yellow' } as const;

interface FactsProps extends LivePaymentProps {
  readonly columns: number;
  /** Whether there is room for the amount in large digits and for blank lines. */
  readonly large: boolean;
}

function Facts({ card, status, now, style, columns, large }: FactsProps) {
  const { colors } = style;
  const { orgName, clientName, clientPhone } = card;
  const digits = large ? mediumText(formatAmount(card.amount), columns) : undefined;
  const client = [clientName, clientPhone && formatPhone(clientPhone)].filter(Boolean).join(', ');
  return (
    <Box flexDirection="column" width={columns} paddingTop={digits ? 1 : 0}>
      {large && orgName && <Text wrap="truncate">{colors.dim(orgName)}</Text>}
      {digits && <Text> </Text>}
      {digits && <Lines lines={digits} columns={columns} />}
      <Text>{colors.bold(formatTenge(card.amount))}</Text>
      {client && <Text>{client}</Text>}
      {large && <Text> </Text>}
      {/* The words stay in the terminal's own colour, which can be read on any background. */}
      <Text>{`${colors[toneColors[status.tone]](status.symbol)} ${colors.bold(status.text)}`}</Text>
      {large && <Text> </Text>}
      <Text>{timeLine(card, now)}</Text>
      {large && <Text>{`Payment     ${card.id}`}</Text>}
    </Box>
  );
}

function timeLine({ expiresAt, createdAt }: PaymentCard, now: number): string {
  if (expiresAt === undefined) return `Waiting     ${formatTimeLeft(now - createdAt)}`;
  return `Time left   ${formatTimeLeft(expiresAt - now)}`;
}
