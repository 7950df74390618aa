import type { NewOrder } from '#validators/orders';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import type { Basket } from '../create-order.js';
import type { OrderedItem } from '../order.js';

/**
 * Returns the items of an order as a client sends it: a list, or a single product. Throws `validation_failed` for rules
 * that the schema cannot express.
 */
export function readBasket(body: NewOrder): Basket {
  const { productId, quantity = 1, expectedAmount } = body;
  const details: ErrorDetail[] = [];
  if (body.items) {
    if (productId !== undefined || body.quantity !== undefined)
      details.push({
        path: '/items',
        message: 'must not be sent together with a productId or quantity',
      });
  } else if (productId === undefined) {
    details.push({ path: '/productId', message: 'is required without items' });
  }
  const single = productId === undefined ? [] : [{ productId, variantId: null, quantity }];
  const items = body.items?.map(
    ({ productId, variantId = null, quantity = 1 }): OrderedItem => ({
      productId,
      variantId,
      quantity,
    }),
  );
  for (const [index, item] of items?.entries() ?? []) {
    const path = `/items/${index}`;
    if (item.variantId !== null)
      details.push({ path: `${path}/variantId`, message: 'is not a variant of this product' });
    const first = items?.findIndex(({ productId }) => productId === item.productId) ?? index;
    if (first < index)
      details.push({
        path: `${path}/productId`,
        message: `must differ from /items/${first}/productId`,
      });
  }
  if (details.length > 0)
    throw new AppError('validation_failed', 'The order has values that are not allowed.', {
      details,
    });
  const { contact, fulfillment, note } = body;
  return {
    ...{ items: items ?? single, expectedAmount },
    ...(contact ? { contact } : {}),
    ...(fulfillment ? { fulfillment } : {}),
    ...(note === undefined ? {} : { note }),
  };
}
