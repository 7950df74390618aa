import { Change as isChange, Delivery as isDelivery } from '#validators/webhooks';
import { damaged } from '../../base/files/storage-errors.js';
import { parseJsonText } from '../../json/parse-text.js';
import type { Attempt, Delivery } from '../delivery.js';

/**
 * A delivery's file: the delivery as it was stored first, then a line for each attempt. Appending makes no
 * new file and frees none, which file systems do much faster; a line that a crash cut short is dropped.
 */
export interface DeliveryText {
  readonly delivery: Delivery;
  /** Where in the file the next line goes, in bytes; null where it has to be written anew instead. */
  readonly end: number | null;
}

type Change = Pick<Delivery, 'state' | 'nextAttemptAt' | 'endedAt'> & { readonly attempt: Attempt };

/** Past this many lines a file is written anew, so that it does not grow with replays. */
const mostLines = 20;

/** The text of a new file. */
export function wholeText(delivery: Delivery): string {
  return `${JSON.stringify(delivery)}\n`;
}

/** The line that turns `before` into `next`, where one attempt is all that was added; else undefined. */
export function changeText(before: Delivery, next: Delivery): string | undefined {
  const attempt = next.attempts.at(-1);
  if (!attempt || next.attempts.length !== before.attempts.length + 1) return undefined;
  const { state, nextAttemptAt, endedAt } = next;
  const change: Change = { attempt, state, nextAttemptAt, endedAt };
  return `${JSON.stringify(change)}\n`;
}

/** Reads a file's text; `data_damaged` where it is none of a delivery. */
export function parseDelivery(text: string, path: string): DeliveryText {
  const [first = '', ...lines] = text.split('\n');
  const whole = text.endsWith('\n');
  if (whole) lines.pop();
  const stored = parseJsonText(first, path);
  if (!isDelivery(stored)) throw damaged(path, 'line 1', 'this is not the record of a delivery');
  let delivery = stored as Delivery; // The schema has just said so.
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const change = parseChange(line);
    if (change) delivery = apply(delivery, change);
    else if (!isLast)
      throw damaged(path, `line ${index + 2}`, 'this is not the record of an attempt');
    else return { delivery, end: null };
  }
  const appendable = whole && lines.length < mostLines;
  return { delivery, end: appendable ? Buffer.byteLength(text) : null };
}

function parseChange(line: string): Change | undefined {
  try {
    const change: unknown = JSON.parse(line);
    return isChange(change) ? (change as Change) : undefined; // The schema has just said so.
  } catch {
    return undefined;
  }
}

function apply(delivery: Delivery, { attempt, ...changed }: Change): Delivery {
  return { ...delivery, ...changed, attempts: [...delivery.attempts, attempt] };
}
