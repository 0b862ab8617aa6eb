/** Columns of change requests of one space. */
export const columns = [
  { path: 'number', keep: true },
  { path: 'subject', keep: true },
  { path: 'status', as: 'state' },
  { path: 'createdBy.displayName', label: 'AUTHOR' },
  'updatedAt',
  'comments',
  'outdated',
  { path: 'id', keep: true },
] as const;
