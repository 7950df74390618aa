/** What pages know of selling. */
export interface Sales {
  /** Pieces left of the products that have a count, by their ids. */
  stock(): Promise<ReadonlyMap<number, number>>;
  /** Whether somebody can take payments in this process now. Asked for every page that sells: cheap. */
  canPay(): boolean;
  /** Calls `listener` when the stock may have changed. */
  onChange(listener: () => void): void;
}

/** Where nothing is counted and nobody takes payments. */
export const noSales: Sales = {
  stock: async () => new Map(),
  canPay: () => false,
  onChange() {},
};
