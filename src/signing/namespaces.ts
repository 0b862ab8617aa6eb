/** What a signature is for: one of a backup is valid for nothing else, and neither is one of an approval. */
export const namespaces = { backup: 'docs-backup', approval: 'docs-approval' } as const;
export type Namespace = (typeof namespaces)[keyof typeof namespaces];
