import { isUtf8 } from 'node:buffer';
import { AppError, type ErrorDetail } from '../../base/errors.js';

/** The fields of the form on the product page. */
export interface OrderForm {
  readonly productId: number;
  readonly quantity: number;
  /** Identifies the order if the form is sent again; undefined if the field is empty. */
  readonly key: string | undefined;
}

/** The most pieces of one order. */
const maxPieces = 99;
/** Characters of an order form's key: a UUID and some room. */
const maxKeyLength = 100;

/**
 * Reads a form as browsers send it (application/x-www-form-urlencoded). Throws `validation_failed` with every invalid
 * field.
 */
export function readOrderForm(bytes: Buffer): OrderForm {
  if (!isUtf8(bytes)) throw wrong([{ path: '', message: 'must be in UTF-8' }]);
  const fields = new URLSearchParams(bytes.toString());
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const productId = numberOf(text('productId'));
  const quantity = text('quantity') === '' ? 1 : numberOf(text('quantity'));
  const key = text('key');
  const details: ErrorDetail[] = [];
  if (!(productId >= 1))
    details.push({ path: '/productId', message: 'must be the ID of a product' });
  if (!(quantity >= 1 && quantity <= maxPieces)) {
    details.push({ path: '/quantity', message: `must be a whole number from 1 to ${maxPieces}` });
  }
  if (key.length > maxKeyLength || /[^\x21-\x7e]/.test(key)) {
    details.push({ path: '/key', message: `must be at most ${maxKeyLength} letters and digits` });
  }
  if (details.length > 0) throw wrong(details);
  return { productId, quantity, key: key === '' ? undefined : key };
}

function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function wrong(details: readonly ErrorDetail[]): AppError {
  return new AppError('validation_failed', 'The form has values that are not allowed.', {
    details,
  });
}
