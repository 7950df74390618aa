/** Takes the pieces of a paid order from the count, which never falls below 0; reports if there were too few. */
export function takePieces(left: number, quantity: number) {
  return { left: Math.max(0, left - quantity), oversold: quantity > left };
}
