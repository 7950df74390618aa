/** @typedef {{ productId: number, quantity: number }} Wanted */

/**
 * The keys of a page's orders: a repeat of one is the same order. The first is the page's own; another order, or one
 * after an order that has ended, gets a new one.
 *
 * @param {HTMLInputElement | null} input where the page has its key
 */
export function createKeys(input) {
  let key = input?.value || randomKey();
  /** @type {string | undefined} */
  let usedFor;
  const renew = () => {
    key = randomKey();
    usedFor = undefined;
    if (input) input.value = key;
  };
  return {
    renew,
    /** @param {Wanted} wanted */
    keyFor({ productId, quantity }) {
      const asked = `${productId} ${quantity}`;
      if (usedFor !== undefined && usedFor !== asked) renew();
      usedFor = asked;
      return key;
    },
  };
}

/** 128 random bits; `randomUUID` is there on pages of https alone. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
