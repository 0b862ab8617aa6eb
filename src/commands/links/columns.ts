/** Columns of the links of a space or page. */
export const linkColumns = [
  { path: 'status', as: 'state' },
  { path: 'targetReference.kind', label: 'TARGET' },
  { path: 'targetReference.url', label: 'URL', as: 'url' },
  { path: 'targetReference.page', label: 'PAGE' },
  { path: 'targetReference.file', label: 'FILE' },
  { path: 'targetReference.space', label: 'SPACE' },
  { path: 'locationReferences.page', label: 'ON PAGE' },
  'relation',
] as const;
