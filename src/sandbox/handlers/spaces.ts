import * as api from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { type Call, handle } from '../handle.js';
import { type SpaceRow, spaceById, updateSpace } from '../records/in-path.js';
import { publishedUrlOfSpace } from '../records/published.js';
import { spaceLayout, toSpace } from '../records/space.js';
import { found, refusal } from '../refusal.js';
import { requireEmoji, requireUrl } from '../values.js';

export const handlers = [
  handle(api.getSpace, (call) => show(call, call.space, call.caller.level, call.query.shareKey)),

  handle(api.updateSpace, (call) => {
    const { db, space, body, clock } = call;
    if (typeof body.emoji === 'string' && typeof body.icon === 'string') {
      throw refusal(400, 'body emoji and icon cannot both be set');
    }
    requireEmoji('emoji', body.emoji);
    requireUrl('icon', body.icon, ['https', 'http']);
    const changes = spaceLayout.changes(body);
    if (typeof body.icon === 'string' || body.emoji === null) changes.emoji = '';
    changes.icon = typeof body.emoji === 'string' ? null : body.icon;
    changes.updated_at = clock.now();
    // A trigger may change its cap, which no answer shows.
    return show(call, updateSpace(db, space, changes), call.caller.level);
  }),

  handle(api.deleteSpace, ({ db, space, clock }) => {
    db.run('UPDATE spaces SET deleted_at = ? WHERE id = ?', clock.now(), space.id);
  }),

  handle(
    api.restoreSpace,
    (call) => {
      const { db, space } = call;
      if (space.deleted_at === null) throw refusal(409, 'this space is not deleted');
      db.run('UPDATE spaces SET deleted_at = NULL WHERE id = ?', space.id);
      return answer(call, space.id);
    },
    { deletedToo: true },
  ),
];

export type InSpace = Pick<Call<typeof api.getSpace>, 'db' | 'space' | 'caller' | 'org'>;

/** The space as it is now. */
export function answer(call: InSpace, id: string, level = call.caller.level): api.Space {
  return show(call, found(spaceById(call.db, id), 'space', id), level);
}

function show(call: InSpace, row: SpaceRow, level: Role | null, shareKey?: string): api.Space {
  const published = publishedUrlOfSpace({ db: call.db, org: call.org, shareKey }, row.id);
  return toSpace(row, level ?? 'read', published);
}
