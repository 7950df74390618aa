import type { Left } from './order.js';

/** What is left, and whether an order has got less than it takes. */
export interface Taken<Count extends Left = Left> {
  readonly left: Count;
  readonly oversold: boolean;
}

/** Takes pieces of a product for an order that was paid: never below 0, nor where they are not counted. */
export function takePieces(left: number, quantity: number): Taken<number>;
export function takePieces(left: Left, quantity: number): Taken;
export function takePieces(left: Left, quantity: number): Taken {
  if (left === null) return { left, oversold: false };
  return { left: Math.max(0, left - quantity), oversold: quantity > left };
}
