import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

/** A sandbox with the tiny seed, seen from its space Welcome with five comments. */
export async function openCommentWorld() {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const spaceId = sandbox.defaults.space ?? '';
  return {
    ...sandbox,
    spaceId,
    /** Lets time pass. */
    pass(ms: number) {
      sandbox.outside.ms += ms;
    },
    list: (query = {}) => admin.all(ops.listComments, { path: { spaceId }, query }),
    /** The comments of the third change request, which is open. */
    listOnRequest: (query = {}) =>
      admin.all(ops.listChangeRequestComments, { path: { spaceId, changeRequestId: '3' }, query }),
    /** Posts on the space as the holder of that token. */
    post: (markdown: string, as = 'admin') =>
      sandbox.as(as).ok(ops.createComment, { path: { spaceId }, body: { body: { markdown } } }),
    /** The space's own count of open comments. */
    count: async () => (await admin.ok(ops.getSpace, { path: { spaceId } })).comments,
  };
}

/** The texts, in their order. */
export const texts = (items: readonly { body: { markdown?: string } }[]) =>
  items.map(({ body }) => body.markdown);
