import type { Comment } from '../../api/resources/comments.js';
import { emojiCharacter } from '../../base/text-encoding.js';
import { iso } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { requireEmoji } from '../values.js';
import { toUser, type UserColumns, userColumns } from './member.js';

/** What users can react to, with the table of its reactions and its column there. */
const tables = {
  comment: ['comment_reactions', 'comment_id'],
  reply: ['reply_reactions', 'reply_id'],
} as const;
type Reacted = keyof typeof tables;

/** Changes to the caller's own reactions. */
export interface ReactionChanges {
  addedReactions?: readonly string[];
  removedReactions?: readonly string[];
}

type ReactionRow = UserColumns & { emoji: string; reacted_at: number };

/** The reactions to a comment or reply, emoji and users by their first use. */
export function reactionsTo(db: Database, kind: Reacted, id: string): Comment['reactions'] {
  const [table, column] = tables[kind];
  const rows = db.all<ReactionRow>(
    `SELECT x.emoji, x.reacted_at, ${userColumns} FROM ${table} x JOIN users u ON u.id = x.user_id
     WHERE x.${column} = ? ORDER BY x.reacted_at, x.emoji, x.user_id`,
    id,
  );
  const byEmoji = new Map<string, Comment['reactions'][number]['users']>();
  for (const row of rows) {
    const users = byEmoji.get(row.emoji) ?? [];
    byEmoji.set(row.emoji, [...users, { user: toUser(row), reactedAt: iso(row.reacted_at) }]);
  }
  return [...byEmoji].map(([emoji, users]) => ({ emoji, count: users.length, users }));
}

/**
 * Adds, then removes reactions of a user. One that exists keeps its time; a missing one is ignored.
 * @throws 400 for an addition that is not an emoji
 */
export function changeReactions(
  db: Database,
  kind: Reacted,
  id: string,
  by: { userId: string; nowMs: number },
  { addedReactions = [], removedReactions = [] }: ReactionChanges,
): void {
  const [table, column] = tables[kind];
  for (const [index, emoji] of addedReactions.entries()) {
    requireEmoji(`addedReactions.${index}`, emoji);
    if (formsIn(db, table, column, id, by.userId, emoji).length > 0) continue;
    const sql = `INSERT INTO ${table} (${column}, emoji, user_id, reacted_at) VALUES (?, ?, ?, ?)`;
    db.run(sql, id, emoji, by.userId, by.nowMs);
  }
  for (const removed of removedReactions) {
    for (const emoji of formsIn(db, table, column, id, by.userId, removed))
      db.run(`DELETE FROM ${table} WHERE ${column} = ? AND emoji = ? AND user_id = ?`, id, emoji, by.userId);
  }
}

/** A user's reactions that are one emoji, as its character or as its code points. */
function formsIn(
  db: Database,
  table: string,
  column: string,
  id: string,
  userId: string,
  emoji: string,
): string[] {
  const sql = `SELECT emoji FROM ${table} WHERE ${column} = ? AND user_id = ?`;
  return db
    .all<Pick<ReactionRow, 'emoji'>>(sql, id, userId)
    .map((row) => row.emoji)
    .filter((own) => emojiCharacter(own) === emojiCharacter(emoji));
}
