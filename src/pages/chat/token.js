// What a token says of itself. Its signature is the server's business.

/**
 * Whether more than a third of the token's life has passed since it was received. Both times are the
 * server's, as its answers name them (milliseconds), so that no clock here has to be right. False where
 * the token or the time is not known; then the server decides when it ends.
 *
 * @param {{ token: string, receivedAt: number | null }} signedIn
 * @param {number | null} serverTime
 */
export function isRenewalDue({ token, receivedAt }, serverTime) {
  const { iat, exp } = readClaims(token);
  if (serverTime === null || typeof iat !== 'number' || typeof exp !== 'number') return false;
  return exp > iat && serverTime - (receivedAt ?? iat * 1000) > ((exp - iat) * 1000) / 3;
}

/** @param {string} token @returns {{ iat?: unknown, exp?: unknown }} */
function readClaims(token) {
  try {
    const [, payload = ''] = token.split('.');
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
