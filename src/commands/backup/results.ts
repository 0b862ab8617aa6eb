import { type Static, Type } from '@sinclair/typebox';
import { closed, maybe, oneOf, stateOf, text } from '../printed-shapes.js';

/** What the commands of `docs backup` print. */

const count = (description: string) => Type.Integer({ description });

export const NotRead = closed({
  kind: text,
  id: text,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Id of the space it stands in' })),
  error: Type.Object({}, { description: 'As on stderr: code, message, status, request' }),
});

export const BackupResult = closed({
  id: Type.String({ description: 'Id of the organization' }),
  status: stateOf('whole', 'partial'),
  folder: text,
  manifest: Type.String({ description: 'Hash (SHA-256) of manifest.json, by which all else is known' }),
  spaces: count('Spaces in the backup'),
  unchanged: count('Spaces that were as they were'),
  moved: count('Files and folders of what is gone, moved to deleted'),
  pages: count('Pages of spaces'),
  files: count('Files of spaces'),
  fileBytes: count('Bytes of those files'),
  counts: Type.Record(text, Type.Integer(), { description: 'Everything else that was counted' }),
  failed: Type.Array(NotRead, { description: 'What could not be read' }),
});
export type BackupResult = Static<typeof BackupResult>;

export const PlannedSpace = closed({
  id: text,
  title: text,
  state: stateOf('new', 'changed', 'unchanged', 'removed'),
});

export const VerifyFinding = closed({
  state: stateOf(
    ...['unfinished', 'not-read', 'missing', 'changed', 'extra', 'unsafe', 'miscounted', 'bad-manifest'],
    ...['outdated', 'not-backed-up', 'gone'],
  ),
  kind: Type.String({ description: 'What it is: page, file, space, members, …' }),
  id: maybe,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Title of the space' })),
  path: Type.Optional(Type.String({ description: 'Where it is in the backup' })),
  detail: maybe,
});
export type VerifyFinding = Static<typeof VerifyFinding>;

export const Difference = closed({
  change: oneOf('added', 'removed', 'changed', 'moved'),
  kind: Type.String({ description: 'What it is: member, team, space, page, file, comment, …' }),
  id: text,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Title of the space' })),
  path: Type.Optional(Type.String({ description: 'Where it is in the later backup, or was in the earlier' })),
  from: Type.Optional(Type.String({ description: 'Where it was, where it moved' })),
});
export type Difference = Static<typeof Difference>;
