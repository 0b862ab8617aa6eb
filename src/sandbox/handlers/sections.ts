import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import { handle, handlePrepared } from '../handle.js';
import { reorder } from '../positions.js';
import { sectionIn, siteSpaceIn, toSection } from '../records/site-structure.js';
import { refusal } from '../refusal.js';
import { requirePathAndCondition } from '../sites/condition.js';
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
import { update } from '../store/sql.js';

export const handlers = [
  handle(listSections, (call) => {
    const structure = currentStructure(call);
    return call.page.of({
      entries: structure.sections,
      key: ({ place }) => place,
      item: (row) => toSection(structure, row),
    });
  }),

  handle(createSection, (call) => {
    currentStructure(call);
    return answer(call, addSection(call, visibleSpace(call, call.body.spaceId), call.body.title));
  }),

  handlePrepared(updateSection, requirePathAndCondition, (call) => {
    const { db, body } = call;
    const structure = currentStructure(call);
    const section = sectionIn(structure, call.path.siteSectionId);
    const { title, path, condition, icon, description, defaultSiteSpace } = body;
    const others = structure.sections.filter(({ id }) => id !== section.id);
    refuseTakenPath(others, path);
    update(db, 'sections', section.id, { title, path, condition, icon, description });
    if (defaultSiteSpace !== undefined) {
      const row = siteSpaceIn(structure, defaultSiteSpace);
      if (row.section_id !== section.id) {
        throw refusal(409, `The site space ${row.site_space_id} is in another section.`);
      }
      setDefaultSiteSpace(call, row);
    }
    return answer(call, section.id);
  }),

  /** Removes its spaces from the site. The next section replaces it as the default. */
  handle(deleteSection, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const section = sectionIn(structure, path.siteSectionId);
    refuseToEmpty(structure, (row) => row.section_id === section.id);
    const next = successor(structure.sections, section);
    if (section.is_default === 1 && next !== undefined) setDefaultSection(call, next.id);
    db.run('DELETE FROM sections WHERE id = ?', section.id);
  }),

  /** Moves it within its group, or within the top level. Groups have an operation of their own. */
  handle(moveSection, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
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
  const structure = currentStructure(call);
  return toSection(structure, sectionIn(structure, id));
}
