/**
 * Milliseconds that a lease lasts after its last renewal. The claims of a suspended or invisible process end then. A
 * dead process on this machine loses its leases at once.
 */
export const leaseMs = 15_000;

/** Milliseconds between two renewals. A lease survives four failed renewals in a row, such as a database fail-over. */
export const renewEvery = 3_000;
