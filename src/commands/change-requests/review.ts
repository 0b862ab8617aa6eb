import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption } from '../../cli/declare/standing-flags.js';
import { Reviewed } from '../../workflows/change-diff/review.js';
import { changeColumns, diffReads } from './diff.js';

export const review = manual({
  name: 'review',
  summary: 'Show a change request with its comments, then decide',
  why:
    'Shows what it changes, page by page, beside what was said; on a terminal it then asks whether to comment, ' +
    'merge or open it in the browser. Elsewhere it only prints, and asks nothing.',
  args: { '<change-request>': 'Change request, by id or number' },
  options: [concurrencyOption, contextOption('spaceId')],
  operations: [...diffReads, listChangeRequestComments, listChangeRequestCommentReplies],
  returns: Type.Array(Reviewed),
  columns: changeColumns,
  exits: ['partial', 'conflict'],
  // It asks once its own pager has closed.
  unpaged: true,
  examples: {
    'change-requests review 3 --space s1': 'read a change request, then comment on it or merge it',
    'change-requests review 3 --space s1 --jq \'.[] | select(.comments[].status == "open") | .title\'':
      'list the pages with open comments',
  },
  async run(session, input, { view, runLine }) {
    await (await import('./review/run.js')).reviewRequest(session, input, view, runLine);
  },
});
