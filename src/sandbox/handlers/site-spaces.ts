import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { handle, handlePrepared } from '../handle.js';
import { reorder } from '../positions.js';
import {
  defaultSiteSpaceOf,
  type SiteSpaceRow,
  type Structure,
  sectionIn,
  siteSpaceIn,
  toSiteSpace,
} from '../records/site-structure.js';
import { refusal } from '../refusal.js';
import { requirePathAndCondition } from '../sites/condition.js';
import {
  addSiteSpace,
  currentStructure,
  type OnSite,
  refuseTakenPath,
  refuseToEmpty,
  setDefaultSiteSpace,
  successor,
  visibleSpace,
} from '../sites/site-changes.js';
import { update } from '../store/sql.js';

export const handlers = [
  handle(listSiteSpaces, (call) => {
    const { query, page } = call;
    const structure = currentStructure(call);
    const shown = defaultSiteSpaceOf(structure);
    const wanted = (row: SiteSpaceRow) =>
      query.default === undefined || query.default === (row.site_space_id === shown);
    return page.of({
      entries: structure.siteSpaces.filter(wanted),
      key: ({ place }) => place,
      item: (row) => toSiteSpace(structure, row, shown),
    });
  }),

  handle(createSiteSpace, (call) => {
    const { body } = call;
    const structure = currentStructure(call);
    const section = body.sectionId ?? structure.defaultSection;
    const sectionId = section === undefined ? null : sectionIn(structure, section).id;
    return answer(call, addSiteSpace(call, sectionId, visibleSpace(call, body.spaceId)));
  }),

  handlePrepared(updateSiteSpace, requirePathAndCondition, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    const others = db.all<{ path: string }>(
      'SELECT path FROM site_spaces WHERE site_id = ? AND section_id IS ? AND id <> ?',
      ...[path.siteId, row.section_id, row.site_space_id],
    );
    refuseTakenPath(others, body.path);
    update(db, 'site_spaces', row.site_space_id, { path: body.path, condition: body.condition });
    return answer(call, row.site_space_id);
  }),

  /** The next one replaces it as the default. A section of a published site keeps at least one. */
  handle(deleteSiteSpace, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    refuseToEmpty(structure, ({ site_space_id }) => site_space_id === row.site_space_id);
    const level = levelOf(structure, row);
    if (structure.site.published === 1 && level.length === 1) {
      const hint = 'delete the section instead';
      throw refusal(409, `Cannot remove the last space of a section on a published site; ${hint}.`);
    }
    const next = successor(level, row);
    if (row.is_default === 1 && next !== undefined) setDefaultSiteSpace(call, next);
    db.run('DELETE FROM site_spaces WHERE id = ?', row.site_space_id);
  }),

  /** Moves it within its section, or within the root. */
  handle(moveSiteSpace, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    const before = body.position.before?.siteSpace;
    const after = body.position.after?.siteSpace;
    for (const neighbour of [before, after]) {
      if (neighbour !== undefined && siteSpaceIn(structure, neighbour).section_id !== row.section_id) {
        throw refusal(409, `The site space ${neighbour} is in another section.`);
      }
    }
    const list = levelOf(structure, row).map((each) => ({ id: each.site_space_id, position: each.position }));
    const positions = reorder(list, row.site_space_id, { before, after }, 'site space');
    for (const [id, position] of positions) {
      db.run('UPDATE site_spaces SET position = ? WHERE id = ?', position, id);
    }
    return answer(call, row.site_space_id);
  }),
];

/** The spaces of the same section, or of the root, in their order. */
function levelOf({ siteSpaces }: Structure, row: SiteSpaceRow): SiteSpaceRow[] {
  return siteSpaces.filter(({ section_id }) => section_id === row.section_id);
}

function answer(call: OnSite, id: string) {
  const structure = currentStructure(call);
  return toSiteSpace(structure, siteSpaceIn(structure, id), defaultSiteSpaceOf(structure));
}
