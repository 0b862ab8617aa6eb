import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import { handle } from '../handle.js';
import { orderKey, sectionIn, siteSpaceIn, toSection } from '../records/site-structure.js';
import { refusal } from '../refusal.js';
import { reorder } from '../sites/order.js';
import {
  addSection,
  currentStructure,
  type OnSite,
  placeSections,
  refuseTakenPath,
  refuseToEmpty,
  setDefaultSection,
  setDefaultSiteSpace,
  successor,
  topLevel,
  visibleSpace,
} from '../sites/site-changes.js';
import { assignments } from '../store/sql.js';

export const handlers = [
  handle(listSections, (call) => {
    const structure = currentStructure({ ...call, shareKey: call.query.shareKey }, call.path.siteId);
    return call.page.of({
      entries: structure.sections,
      key: ({ top, position, id }) => orderKey([top, position], id),
      item: (row) => toSection(structure, row),
    });
  }),

  handle(createSection, (call) => {
    const { path, body } = call;
    currentStructure(call, path.siteId);
    const id = addSection(call, path.siteId, visibleSpace(call, body.spaceId), body.title);
    return answer(call, id);
  }),

  handle(updateSection, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call, path.siteId);
    const section = sectionIn(structure, path.siteSectionId);
    refuseTakenPath(
      structure.sections.filter(({ id }) => id !== section.id),
      body.path,
    );
    const [sql, ...values] = assignments({
      title: body.title,
      path: body.path,
      condition: body.condition,
      icon: body.icon,
      description: body.description,
    });
    if (values.length > 0) db.run(`UPDATE sections SET ${sql} WHERE id = ?`, ...values, section.id);
    if (body.defaultSiteSpace !== undefined) {
      const row = siteSpaceIn(structure, body.defaultSiteSpace);
      if (row.section_id !== section.id) {
        throw refusal(409, `The site space ${row.site_space_id} is in another section.`);
      }
      setDefaultSiteSpace(db, path.siteId, section.id, row.site_space_id);
    }
    return answer(call, section.id);
  }),

  /** Removes its spaces from the site. The next section replaces it as the default. */
  handle(deleteSection, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call, path.siteId);
    const section = sectionIn(structure, path.siteSectionId);
    refuseToEmpty(structure, (row) => row.section_id === section.id);
    const next = successor(structure.sections, section);
    if (section.is_default === 1 && next !== undefined) setDefaultSection(db, path.siteId, next.id);
    db.run('DELETE FROM sections WHERE id = ?', section.id);
  }),

  /** Moves it within its group, or within the top level. Groups have an operation of their own. */
  handle(moveSection, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call, path.siteId);
    const section = sectionIn(structure, path.siteSectionId);
    const before = body.position.before?.siteSection;
    const after = body.position.after?.siteSection;
    for (const neighbour of [before, after]) {
      if (neighbour === undefined) continue;
      if (sectionIn(structure, neighbour).group_id !== section.group_id) {
        throw refusal(409, `Section ${neighbour} is in another group; put both into the same group first.`);
      }
    }
    const inGroup = structure.sections.filter(({ group_id }) => group_id === section.group_id);
    const list = section.group_id === null ? topLevel(structure) : inGroup;
    placeSections(db, reorder(list, section.id, { before, after }, 'site section'));
    return answer(call, section.id);
  }),
];

function answer(call: OnSite, id: string) {
  const structure = currentStructure(call, call.path.siteId);
  return toSection(structure, sectionIn(structure, id));
}
