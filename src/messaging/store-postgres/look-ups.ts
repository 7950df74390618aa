/** Bounds of look-ups that are joined into one statement. */
export const lookUps = { most: 500, concurrency: 4 } as const;
