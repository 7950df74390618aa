/** The colour of each tone's symbol; the words stay in the terminal's own, which can be read on any background. */
export const toneColors = { waiting: 'cyan', busy: 'magenta', attention: 'yellow' } as const;
