/**
 * Duration of a lease after its last renewal, in milliseconds. The claims of a suspended or unreachable process end
 * then. A dead process on this machine loses its leases immediately.
 */
export const leaseMs = 15_000;

/** Interval between two renewals, in milliseconds. A lease survives four consecutive failed renewals. */
export const renewEvery = 3_000;
