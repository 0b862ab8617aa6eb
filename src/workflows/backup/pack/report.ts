import { type Static, Type } from '../../../api/type.js';
import { closed, maybe, stateOf, text } from '../../../output/printed-shapes.js';

const count = (description: string) => Type.Integer({ description });

export const LeftOut = closed({
  kind: Type.String({
    description:
      'page, file, file-name, cover, computed-page, reusable-content, order, comments or change-requests',
  }),
  id: maybe,
  title: maybe,
  count: Type.Optional(count('How many, of what is not listed one by one')),
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
  leftOut: Type.Array(LeftOut, { description: 'What the pack, or an import of it, lacks' }),
});
export type PackResult = Static<typeof PackResult>;
