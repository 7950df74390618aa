/** What a visitor orders. */
export interface Wanted {
  readonly productId: number;
  readonly quantity: number;
}

export type Keys = ReturnType<typeof createKeys>;

/**
 * Creates the keys of a page's orders: a repeated key means the same order. The first is the page's own, from `input`;
 * another order, or one after an order that has ended, gets a new one.
 */
export function createKeys(input: HTMLInputElement | null) {
  let key = input?.value || randomKey();
  let usedFor: string | undefined;
  const renew = () => {
    key = randomKey();
    usedFor = undefined;
    if (input) input.value = key;
  };
  return {
    renew,
    keyFor({ productId, quantity }: Wanted): string {
      const asked = `${productId} ${quantity}`;
      if (usedFor !== undefined && usedFor !== asked) renew();
      usedFor = asked;
      return key;
    },
  };
}

/** 128 random bits; `randomUUID` exists only on pages served over https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
