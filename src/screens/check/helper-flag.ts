/** The first argument of a thread or process that checks files for another one. */
export const helperFlag = '--check-for-parent';
