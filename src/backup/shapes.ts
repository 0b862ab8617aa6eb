import { type Static, Type } from '../api/type.js';
import { closed, maybe, oneOf, orNull, stateOf, text } from '../output/printed-shapes.js';

/** What the commands on backups print. */

const count = (description: string) => Type.Integer({ description });

/** What was not as the last run had left it: it was moved away, and read again. */
export const Distrusted = closed({
  /** `manifest`: the one at the top is not the one that was signed; nothing of the last run was reused. */
  kind: oneOf('manifest', 'space'),
  id: text,
  title: maybe,
  path: Type.String({ description: 'Where it was moved to in the backup' }),
});
export type Distrusted = Static<typeof Distrusted>;

const NotRead = closed({
  kind: text,
  id: text,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Id of the space it is in' })),
  error: Type.Object({}, { description: 'As on stderr: code, message, status, request' }),
});

export const BackupResult = closed({
  id: Type.String({ description: 'Id of the organization' }),
  status: stateOf('whole', 'partial'),
  folder: text,
  manifest: Type.String({
    description: 'Hash (SHA-256) of manifest.json, which identifies the whole backup',
  }),
  spaces: count('Spaces in the backup'),
  unchanged: count('Spaces that were unchanged'),
  older: count('Spaces with facts that are older than this run; the manifest says which, and since when'),
  accessReadAt: orNull(
    Type.String({ description: 'When permissions in spaces were read; null if the backup has none' }),
  ),
  moved: count('Files and folders of deleted items, moved to deleted, or to versions with --keep'),
  kept: Type.Optional(count('Earlier runs that can be read again, with --keep')),
  pages: count('Pages of spaces'),
  files: count('Files of spaces'),
  fileBytes: count('Bytes of those files'),
  counts: Type.Record(text, Type.Integer(), { description: 'Everything else that was counted' }),
  failed: Type.Array(NotRead, { description: 'Items that could not be read' }),
  distrusted: Type.Array(Distrusted, {
    description: 'Items changed since the last run wrote them: moved to deleted, and read again',
  }),
  signedBy: Type.Optional(Type.String({ description: 'Fingerprint of the key that signed the manifest' })),
});
export type BackupResult = Static<typeof BackupResult>;

export const PlannedSpace = closed({
  id: text,
  title: text,
  /**
   * - `removed`: the backup has it, and the platform does not
   * - `distrusted`: its manifest was changed in the backup since the last run
   */
  state: stateOf('new', 'changed', 'unchanged', 'removed', 'distrusted'),
});
export type PlannedSpace = Static<typeof PlannedSpace>;

export const FieldChange = closed({
  field: Type.String({ description: 'Where it is, such as user.displayName' }),
  before: Type.Optional(Type.Unknown({ description: 'Value before; absent if there was none' })),
  after: Type.Optional(Type.Unknown({ description: 'Value after; absent if there is none' })),
});
export type FieldChange = Static<typeof FieldChange>;

const fields = Type.Optional(Type.Array(FieldChange, { description: 'Differences, field by field' }));

const spaceId = Type.Optional(
  Type.String({ description: 'For kind access: id of the space; id is the id of the member' }),
);

export const VerifyFinding = closed({
  /**
   * - `unfinished`: a run was cut off; `not-read`: it could not read something
   * - `missing`, `changed`, `extra`, `unsafe`: a file; the last is a link, or not a plain file
   * - `unsigned`, `wrong-signer`: no allowed key signed the manifest at the top
   * - `miscounted`: a manifest counts otherwise than its files; `bad-manifest`: it cannot be parsed
   * - `outdated`, `not-backed-up`, `gone`: the platform has changed since; before is the backup
   */
  state: stateOf(
    ...(['unfinished', 'not-read', 'missing', 'changed', 'extra', 'unsafe', 'miscounted'] as const),
    ...(['bad-manifest', 'unsigned', 'wrong-signer', 'outdated', 'not-backed-up', 'gone'] as const),
  ),
  kind: Type.String({ description: 'What it is: page, file, space, members, …' }),
  id: maybe,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Title of the space' })),
  spaceId,
  path: Type.Optional(Type.String({ description: 'Where it is in the backup' })),
  detail: maybe,
  fields,
});
export type VerifyFinding = Static<typeof VerifyFinding>;

export const Difference = closed({
  change: oneOf('added', 'removed', 'changed', 'moved'),
  kind: Type.String({ description: 'What it is: member, team, space, page, file, comment, …' }),
  id: text,
  title: maybe,
  space: Type.Optional(Type.String({ description: 'Title of the space' })),
  spaceId,
  path: Type.Optional(Type.String({ description: 'Where it is in the later backup, or was in the earlier' })),
  from: Type.Optional(Type.String({ description: 'Where it was before it moved' })),
  detail: Type.Optional(Type.String({ description: 'The fields in words: role: read → edit' })),
  fields,
});
export type Difference = Static<typeof Difference>;

export const LeftOut = closed({
  kind: Type.String({
    description:
      'page, file, file-name, cover, computed-page, reusable-content, order, comments or change-requests',
  }),
  id: maybe,
  title: maybe,
  count: Type.Optional(count('Number of items that are not listed one by one')),
  reason: text,
});
export type LeftOut = Static<typeof LeftOut>;

export const PackResult = closed({
  id: Type.String({ description: 'Id of the space' }),
  title: text,
  /** `partial`: the backup lacks pages or files of it. */
  status: stateOf('packed', 'partial', 'not packed'),
  path: Type.String({ description: 'Absolute path of the ZIP archive' }),
  changeRequest: Type.Optional(count('Number of the change request that the content is of')),
  bytes: Type.Optional(count('Size of the archive; absent in a dry run')),
  sha256: Type.Optional(Type.String({ description: 'Hash of the archive; absent in a dry run' })),
  pages: count('Pages in the pack'),
  files: count('Files in the pack'),
  leftOut: Type.Array(LeftOut, { description: 'Gaps of the pack, or of an import of it' }),
});
export type PackResult = Static<typeof PackResult>;

/** What `docs backup log` and `show` print. */

export const LoggedRun = closed({
  run: Type.Integer({ description: 'Its number: the first run is 1' }),
  startedAt: text,
  finishedAt: Type.Optional(Type.String({ description: 'Absent if it did not finish' })),
  state: stateOf('whole', 'partial', 'unfinished'),
  signedBy: Type.Optional(Type.String({ description: 'Fingerprint of the key that signed it' })),
  spaces: Type.Integer({ description: 'Spaces in the backup' }),
  added: Type.Optional(count('Files that it added; absent if unknown')),
  changed: Type.Optional(count('Files that it changed')),
  removed: Type.Optional(count('Files that it removed')),
  kept: Type.Boolean({ description: 'Whether its files can be read: of the latest run, and of those kept' }),
});
export type LoggedRun = Static<typeof LoggedRun>;

export const ShownChange = closed({
  ...Difference.properties,
  /** `hashes`: files of it are lost, so only which files differ is known. */
  compared: oneOf('values', 'hashes'),
});
export type ShownChange = Static<typeof ShownChange>;

export const SearchHit = closed({
  kind: Type.String({
    description: 'What it is: page, file, comment, reply, change-request, space, member, …',
  }),
  id: maybe,
  title: text,
  space: Type.Optional(Type.String({ description: 'Title of the space it is in' })),
  path: Type.String({ description: 'Where it is in the backup' }),
  snippet: Type.Optional(
    Type.String({ description: 'Text around the first match; absent if only the title matches' }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

const olderFacts = Type.Record(text, text, {
  description: 'Data older than the last run, and the time it was read: replies, access, space, …',
});

export const BackupStatus = closed({
  id: Type.String({ description: 'Id of the organization' }),
  title: text,
  /** Of the last run, finished or not. */
  state: stateOf('whole', 'partial', 'unfinished'),
  folder: text,
  platform: text,
  manifest: Type.String({
    description: 'Hash (SHA-256) of manifest.json, which identifies the whole backup',
  }),
  runs: Type.Integer({ description: 'Runs into this folder' }),
  startedAt: Type.String({ description: 'When the last run started' }),
  finishedAt: orNull(Type.String({ description: 'When the last run that finished did so' })),
  ageSeconds: orNull(Type.Integer({ description: 'Seconds since then' })),
  running: orNull(Type.String({ description: 'The process that writes to it now' })),
  signedBy: orNull(Type.String({ description: 'Fingerprint of the key that signed the manifest' })),
  counts: Type.Record(text, Type.Integer()),
  failed: Type.Integer({ description: 'Things that the last run could not read' }),
  notWhole: Type.Integer({ description: 'Spaces that are not whole' }),
  older: Type.Integer({ description: 'Spaces with facts that are older than the last run' }),
  accessReadAt: orNull(
    Type.String({ description: 'When permissions in spaces were read; null if the backup has none' }),
  ),
  olderFacts,
  spaces: Type.Array(closed({ id: text, title: text, state: text, olderFacts, changed: Type.Boolean() }), {
    description: 'Spaces that are incomplete, contain older data, or have changed manifests',
  }),
  problems: Type.Array(oneOf('older', 'unfinished', 'partial', 'changed'), {
    description: 'older: than --older-than; changed: a manifest is not the one that the last run wrote',
  }),
});
export type BackupStatus = Static<typeof BackupStatus>;
