/** Columns of links, of a space or of a page: what state, what kind, leading where, standing where. */
export const linkColumns = [
  { path: 'status', as: 'state' },
  { path: 'targetReference.kind', label: 'LEADS TO' },
  { path: 'targetReference.url', label: 'URL', as: 'url' },
  { path: 'targetReference.page', label: 'PAGE' },
  { path: 'targetReference.file', label: 'FILE' },
  { path: 'targetReference.space', label: 'SPACE' },
  { path: 'locationReferences.page', label: 'STANDS ON' },
  'relation',
] as const;
