import { Box, Text } from 'ink';
import { useMemo } from 'react';
import { wrapWords } from '../../base/text-columns.js';
import { formatTimeLeft } from '../../words/formats.js';
import { mediumText } from '../big-text.js';
import { formatAmount, formatPhone, formatTenge } from '../formats.js';
import type { TerminalSize } from '../streams.js';
import { Lines } from './Lines.js';
import { type LiveLayout, layOut } from './live-layout.js';
import type { PaymentCard, ScreenStyle, StatusLine } from './payment-card.js';
import { toneColors } from './payment-words.js';

export interface LivePaymentProps {
  readonly card: PaymentCard;
  readonly status: StatusLine;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Descriptions of the keys, such as `c cancels the invoice`. */
  readonly keys: readonly string[];
  readonly size: TerminalSize;
  readonly style: ScreenStyle;
}

/**
 * Draws the screen of an open payment: code, amount, status, time left, link and keys. It is never larger than `size`,
 * and as large as `size` only if the code requires the space.
 */
export function LivePayment(props: LivePaymentProps) {
  const { card, style } = props;
  const { columns, rows } = props.size;
  const layout = useMemo(
    () => layOut(card.link, { columns, rows }, style),
    [card.link, columns, rows, style],
  );
  return (
    <Box flexDirection="column" width={columns}>
      <Arranged {...props} layout={layout} />
    </Box>
  );
}

type ArrangedProps = LivePaymentProps & { readonly layout: LiveLayout };

function Arranged(props: ArrangedProps) {
  const { layout, size } = props;
  const { columns } = size;
  switch (layout.kind) {
    case 'beside':
    case 'side':
      return <Beside {...props} qr={layout.qr} isFull={layout.kind === 'side'} />;
    case 'stacked':
      return (
        <>
          <ShortFacts {...props} columns={columns} rows={layout.head} />
          <Lines {...layout.qr} />
          {layout.foot && <Foot {...props} />}
        </>
      );
    case 'link':
      return (
        <>
          {layout.head > 0 && <ShortFacts {...props} columns={columns} rows={layout.head} />}
          <Text>{props.style.colors.yellow(layout.note)}</Text>
          <Foot {...props} hasKeys={layout.foot} />
        </>
      );
    case 'text':
      return (
        <>
          {layout.large && <Facts {...props} columns={columns} />}
          {!layout.large && <ShortFacts {...props} columns={columns} rows={layout.head} />}
          <Foot {...props} />
        </>
      );
  }
}

interface BesideProps extends LivePaymentProps {
  readonly qr: { readonly lines: readonly string[]; readonly columns: number };
  /** True if there is no space below the code, so that the link and the keys are beside it, too. */
  readonly isFull: boolean;
}

const gap = 2;

/** Draws text beside the code. The text is never taller than the code. */
function Beside(props: BesideProps) {
  const { qr, isFull } = props;
  const rows = qr.lines.length;
  const columns = props.size.columns - qr.columns - gap;
  return (
    <>
      <Box gap={gap} height={rows}>
        <Lines {...qr} />
        <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
          {isFull && <ShortFacts {...props} columns={columns} rows={shortRows} />}
          {isFull ? <Foot {...props} /> : <Facts {...props} columns={columns} />}
        </Box>
      </Box>
      {!isFull && <Foot {...props} />}
    </>
  );
}

/** Number of rows above the link and the keys. The smallest possible code has 13 rows. */
const shortRows = 7;

function Foot({
  card,
  keys,
  style,
  hasKeys = true,
}: LivePaymentProps & { readonly hasKeys?: boolean }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text>{card.link ?? ' '}</Text>
      {hasKeys && <Text wrap="truncate">{style.colors.dim(keys.join(' · '))}</Text>}
    </Box>
  );
}

interface FactsProps {
  readonly card: PaymentCard;
  readonly status: StatusLine;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly style: ScreenStyle;
  readonly columns: number;
}

/** Draws the details of an open payment with large digits and blank lines. */
function Facts({ card, status, now, style, columns }: FactsProps) {
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

/** Draws the details in at most `rows` rows. */
function ShortFacts({ card, status, now, style, columns, rows }: ShortFactsProps) {
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

interface ShortFactsProps extends FactsProps {
  readonly rows: number;
}

/** Returns the status with a coloured symbol. The text has the terminal's default colour, which is always readable. */
function statusText({ tone, symbol, text }: StatusLine, { colors }: ScreenStyle): string {
  return `${colors[toneColors[tone]](symbol)} ${colors.bold(text)}`;
}

/** Returns the status in at most `rows` lines. */
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
