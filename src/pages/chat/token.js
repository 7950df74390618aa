// Reads a token's claims. Only the server can verify its signature.

/**
 * Returns whether more than a third of the token's lifetime has passed since it was received. Both times, in
 * milliseconds, come from the server's responses, so the local clock does not matter. Returns false if the token is
 * invalid or the time is unknown.
 *
 * @param {{ token: string, receivedAt: number | null }} signedIn
 * @param {number | null} serverTime
 */
export function needsRenewal({ token, receivedAt }, serverTime) {
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
