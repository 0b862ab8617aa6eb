import { describe, expect, it } from 'vitest';
import { updateChangeRequest } from '../../src/api/resources/change-requests.js';
import {
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../../src/api/resources/comments.js';
import { lookBefore } from '../../src/jobs/look.js';
import { type Reads, requestFor } from '../../src/jobs/request.js';
import { basisOfRequest, requestBasis } from '../../src/jobs/rules/discussions.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { ago, comment, discussion, reply, request, user } from '../workflows/stale/stale-world.js';

/** What archiving a change request rests on: that it, its comments, and their replies are as they were read. */

const own = request();
const answered = comment(80, { replies: 1 });
const answer = reply(79);
const reaction = { emoji: '👍', count: 1, users: [{ user: user('bo'), reactedAt: ago(1) }] };
const before = discussion([answered], [[answered.id, [answer]]]);
const expected = basisOfRequest(own, before);

/** A platform that shows a change request and its discussion. */
function platform(now = own, said = before) {
  const paths: string[] = [];
  const reads = {
    async one() {
      return now;
    },
    async all(op: { id: string }, { path = {} }: { path?: Record<string, string> }) {
      paths.push(op.id);
      return op.id === listChangeRequestComments.id ? said.comments : said.replies.get(path.commentId ?? '');
    },
  };
  return { reads: reads as unknown as Reads, paths };
}

const planned = requestFor(
  updateChangeRequest,
  { spaceId: 's1', changeRequestId: 'cr1' },
  { status: 'archived' },
);
const look = ({ reads }: ReturnType<typeof platform>, expect = expected) =>
  lookBefore(reads, ruleOf(updateChangeRequest), {
    ...{
      item: 0,
      is: 'planned',
      id: 'cr1',
      op: planned.op.id,
      input: planned.input,
      expect,
      operation: 'o1',
    },
  });

describe('archiving a stale change request', () => {
  it('goes on where nothing happened', async () => {
    expect(await look(platform())).toMatchObject({ is: 'to send' });
  });

  it.each([
    ['another revision', request({ revision: 'r2' }), before],
    ['another time of update', request({ updatedAt: ago(1) }), before],
    ['a new comment', own, discussion([answered, comment(1)], [[answered.id, [answer]]])],
    ['a deleted comment', own, discussion()],
    ['an edited comment', own, discussion([{ ...answered, editedAt: ago(1) }], [[answered.id, [answer]]])],
    ['a reaction', own, discussion([{ ...answered, reactions: [reaction] }], [[answered.id, [answer]]])],
    ['a new reply', own, discussion([answered], [[answered.id, [answer, reply(1)]]])],
    [
      'a reaction to a reply',
      own,
      discussion([answered], [[answered.id, [{ ...answer, reactions: [reaction] }]]]),
    ],
  ])('is refused after %s', async (_, now, said) => {
    await expect(look(platform(now, said))).rejects.toMatchObject({ code: 'stale' });
  });

  it('reads replies only where there are some, and nothing more where a plan does not rest on them', async () => {
    const quiet = comment(80);
    const none = platform(own, discussion([quiet]));
    expect(await requestBasis.read(none.reads, planned.input)).toEqual(
      basisOfRequest(own, discussion([quiet])),
    );
    expect(none.paths).toEqual([listChangeRequestComments.id]);
    const some = platform();
    await requestBasis.read(some.reads, planned.input);
    expect(some.paths).toEqual([listChangeRequestComments.id, listChangeRequestCommentReplies.id]);
    const status = platform();
    await look(status, { status: 'open' });
    expect(status.paths).toEqual([]);
  });

  it('names the change request and its comments among what a plan reads', () => {
    expect(requestBasis.paths(planned.input)).toEqual([
      '/v1/spaces/s1/change-requests/cr1',
      '/v1/spaces/s1/change-requests/cr1/comments?status=all&format=markdown',
    ]);
  });
});
