/** The product that a visitor orders, and how many pieces. */
export interface OrderedPieces {
  readonly productId: number;
  readonly quantity: number;
}

export type Keys = ReturnType<typeof createKeys>;

/**
 * Creates the keys of a page's orders; a repeated key identifies the same order. The first key comes from `input`. A
 * different order, or one after an order that has ended, gets a new key.
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
    keyFor({ productId, quantity }: OrderedPieces): string {
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
