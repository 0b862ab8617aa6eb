/** The six roles, from high to low. The specification lists them in full, so they are checked before sending. */
export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
