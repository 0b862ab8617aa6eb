import type { Placed } from './place.js';
import type { LeftOut } from './report.js';
import type { PackSource } from './source.js';

/**
 * What a pack, or an import of it, lacks. Ids, times and authors are left out of every pack and not listed.
 * @param files paths in the pack, by id
 */
export function leftOutOf(source: PackSource, placed: Placed, files: ReadonlyMap<string, string>): LeftOut[] {
  return [...ofPages(source, placed), ...ofFiles(source, files), ...ofSpace(source, placed)];
}

function ofPages(source: PackSource, { pages }: Placed): LeftOut[] {
  return pages.flatMap(({ page: { id, title, cover, computed } }): LeftOut[] => [
    ...(source.textOf(id) === undefined
      ? [{ kind: 'page', id, title, reason: 'the backup could not read its text' }]
      : []),
    ...(cover === undefined
      ? []
      : [{ kind: 'cover', id, title, reason: 'an import sets no covers; its file is in the pack' }]),
    ...(computed === undefined
      ? []
      : [{ kind: 'computed-page', id, title, reason: 'an import makes it text that is generated no more' }]),
  ]);
}

function ofFiles(source: PackSource, files: ReadonlyMap<string, string>): LeftOut[] {
  return source.files.flatMap(({ id, name, git }): LeftOut[] => {
    const there = files.get(id);
    if (there === undefined)
      return [{ kind: 'file', id, title: name, reason: 'the backup could not read its bytes' }];
    if (there === (git?.path ?? name)) return [];
    const reason = `an import would not take its name for that of a file; it is ${there} in the pack`;
    return [{ kind: 'file-name', id, title: name, reason }];
  });
}

function ofSpace({ reusables, space, changeRequest }: PackSource, { reordered }: Placed): LeftOut[] {
  const { comments = 0, changeRequests = 0 } = changeRequest === undefined ? space.counts : {};
  const order = 'an import sorts pages by name; --numbered keeps the order, and changes their paths';
  return [
    ...reusables.map(({ id, title }) => ({
      ...{ kind: 'reusable-content', id, title },
      reason: 'a backup does not have its text',
    })),
    ...(reordered ? [{ kind: 'order', reason: order }] : []),
    ...(comments === 0 ? [] : [{ kind: 'comments', count: comments, reason: 'an import has no comments' }]),
    ...(changeRequests === 0
      ? []
      : [{ kind: 'change-requests', count: changeRequests, reason: 'pack them with --change-request' }]),
  ];
}
