import type { Comment, CommentReply } from '../../api/resources/comments.js';

/** What happened in a discussion, and when. */

export interface Activity {
  atMs: number;
  /** What it was, with its article: `a reply`. */
  what: string;
  /** The comment that it is about. */
  comment: string;
}

export interface Discussion {
  comments: readonly Comment[];
  /** By the id of their comment. */
  replies: ReadonlyMap<string, readonly CommentReply[]>;
}

/** @param nowMs stands for times that cannot be read, so that what is unknown counts as new */
export function activitiesIn({ comments, replies }: Discussion, nowMs: number): Activity[] {
  return comments.flatMap((comment) => {
    const about = (what: string, moment: string | undefined): Activity[] =>
      moment === undefined ? [] : [{ atMs: msOf(moment, nowMs), what, comment: comment.id }];
    return [
      ...about('a comment', comment.postedAt),
      ...about('an edited comment', editOf(comment)),
      ...about('a resolved comment', comment.resolvedAt),
      ...reactedAt(comment).flatMap((moment) => about('a reaction', moment)),
      ...(replies.get(comment.id) ?? []).flatMap((reply) => [
        ...about('a reply', reply.postedAt),
        ...about('an edited reply', editOf(reply)),
        ...reactedAt(reply).flatMap((moment) => about('a reaction', moment)),
      ]),
    ];
  });
}

/** When a text was changed after it was posted; undefined where it was not. */
export function editOf({ postedAt, editedAt }: Pick<Comment, 'postedAt' | 'editedAt'>): string | undefined {
  return editedAt === postedAt ? undefined : editedAt;
}

function reactedAt({ reactions }: Pick<Comment, 'reactions'>): string[] {
  return reactions.flatMap(({ users }) => users.map(({ reactedAt: moment }) => moment));
}

export function msOf(moment: string, nowMs: number): number {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? nowMs : ms;
}
