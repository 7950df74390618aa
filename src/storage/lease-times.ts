/**
 * Milliseconds for which a lease lasts after its last renewal: the claims of a stopped process, or of one that cannot be
 * seen from here, end then. A dead process of this machine loses its leases at once.
 */
export const leaseMs = 15_000;

/** Milliseconds between two renewals: a lease outlasts four that fail in a row, such as a fail-over of the database. */
export const renewEvery = 3_000;
