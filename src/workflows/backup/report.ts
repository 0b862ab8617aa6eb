import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { closed, maybe, oneOf, orNull, stateOf, text } from '../../output/printed-shapes.js';
import { counted, grouped } from '../../output/text.js';
import { olderSpaces } from './ages.js';
import { Distrusted } from './distrusted.js';
import type { RunOutcome } from './execute.js';

const count = (description: string) => Type.Integer({ description });

export const NotRead = closed({
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
  moved: count('Files and folders of what no longer exists, moved to deleted, or to versions with --keep'),
  kept: Type.Optional(count('Earlier runs that can be read again, with --keep')),
  pages: count('Pages of spaces'),
  files: count('Files of spaces'),
  fileBytes: count('Bytes of those files'),
  counts: Type.Record(text, Type.Integer(), { description: 'Everything else that was counted' }),
  failed: Type.Array(NotRead, { description: 'What could not be read' }),
  distrusted: Type.Array(Distrusted, {
    description: 'What was not as the last run had left it: it was moved to deleted, and read again',
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

const fields = Type.Optional(Type.Array(FieldChange, { description: 'What differs, field by field' }));

const spaceId = Type.Optional(
  Type.String({ description: 'Of kind access: id of the space; id is that of the member' }),
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

/** @param folder absolute path of the backup */
export function resultOf(outcome: RunOutcome, folder: string, signedBy?: string): BackupResult {
  const { manifest, sha256, unchanged, moved, kept, distrusted } = outcome;
  const { spaces = 0, pages = 0, files = 0, fileBytes = 0, ...counts } = manifest.counts;
  const status = manifest.state === 'whole' ? 'whole' : 'partial';
  const head = { id: manifest.organization.id, status, folder, manifest: sha256 } as const;
  const ages = { older: olderSpaces(manifest).length, accessReadAt: manifest.accessReadAt ?? null };
  const numbers = { spaces, unchanged, ...ages, moved, kept, pages, files, fileBytes, counts };
  const failed = manifest.failed as BackupResult['failed'];
  return defined({ ...head, ...numbers, failed, distrusted: [...distrusted], signedBy });
}

/** `Backed up Acme Docs to backup: 5 spaces (4 unchanged), 19 pages, 2 files, 7 members.` */
export function sentenceOf({ manifest, unchanged }: RunOutcome, out: string): string {
  const { spaces = 0, pages = 0, files = 0, members = 0 } = manifest.counts;
  const same = unchanged === 0 ? '' : ` (${grouped(unchanged)} unchanged)`;
  const rest = [counted(pages, 'page'), counted(files, 'file'), counted(members, 'member')].join(', ');
  return `Backed up ${manifest.organization.title} to ${out}: ${counted(spaces, 'space')}${same}, ${rest}.`;
}
