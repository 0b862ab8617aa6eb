import {
  addSectionToGroup,
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../../api/resources/sections.js';
import { type Call, handle } from '../handle.js';
import { arrange, lastPosition, positionFrom, reorder } from '../positions.js';
import {
  type GroupRow,
  groupIn,
  type SectionRow,
  type Structure,
  sectionIn,
  toGroup,
} from '../records/site-structure.js';
import { notFound, refusal } from '../refusal.js';
import { currentStructure, type OnSite, placeSections, topLevel } from '../sites/site-changes.js';
import { insert, update } from '../store/sql.js';

export const handlers = [
  handle(listSectionGroups, (call) => {
    const structure = currentStructure(call);
    return call.page.of({
      entries: structure.groups,
      key: ({ position }) => position,
      item: (row) => toGroup(structure, row),
    });
  }),

  /** It takes the place of the first of its sections; without any, it goes to the end. */
  handle(createSectionGroup, (call) => {
    const { db, path, body, newId } = call;
    const structure = currentStructure(call);
    const { title, icon = null } = body;
    const id = newId();
    const top = topLevel(structure);
    const first = top.find((one) => body.sections?.includes(one.id));
    const position = first?.position ?? lastPosition(top);
    insert(db, 'section_groups', { id, site_id: path.siteId, title, icon, position });
    for (const sectionId of new Set(body.sections)) putInto(call, id, sectionId);
    return answer(call, id);
  }),

  handle(updateSectionGroup, (call) => {
    const { db, path, body } = call;
    const { id } = groupIn(currentStructure(call), path.siteSectionGroupId);
    update(db, 'section_groups', id, { title: body.title, icon: body.icon });
    return answer(call, id);
  }),

  /** Keeps its sections, in their order, in place of the group. */
  handle(deleteSectionGroup, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const group = groupIn(structure, path.siteSectionGroupId);
    const sections = sectionsOf(structure, group);
    db.run('DELETE FROM section_groups WHERE id = ?', group.id);
    placeSections(
      db,
      new Map(sections.map(({ id, position }) => [id, positionFrom(group.position, position)])),
    );
  }),

  handle(addSectionToGroup, (call) => {
    const { path, body } = call;
    const { id } = groupIn(currentStructure(call), path.siteSectionGroupId);
    putInto(call, id, body.sectionId);
    return answer(call, id);
  }),

  /** Moves the section out of the group, directly after it. */
  handle(removeSectionFromGroup, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const group = groupIn(structure, path.siteSectionGroupId);
    const section = sectionsOf(structure, group).find(({ id }) => id === path.siteSectionId);
    if (section === undefined) throw notFound('site section', path.siteSectionId);
    db.run('UPDATE sections SET group_id = NULL WHERE id = ?', section.id);
    const top = topLevel(structure);
    const index = top.findIndex(({ id }) => id === group.id) + 1;
    placeSections(db, arrange(top, [section.id], index));
  }),

  handle(moveSectionGroup, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const { id } = groupIn(structure, path.siteSectionGroupId);
    const before = neighbour(structure, body.position.before);
    const after = neighbour(structure, body.position.after);
    placeSections(db, reorder(topLevel(structure), id, { before, after }, 'site section group'));
    return answer(call, id);
  }),
];

/** Moves a section to the end of a group, unless it is in that group already. */
function putInto(call: OnSite, groupId: string, sectionId: string): void {
  const structure = currentStructure(call);
  const section = sectionIn(structure, sectionId);
  if (section.group_id === groupId) return;
  const position = lastPosition(sectionsOf(structure, { id: groupId }));
  call.db.run('UPDATE sections SET group_id = ?, position = ? WHERE id = ?', groupId, position, section.id);
}

type Neighbour = Call<typeof moveSectionGroup>['body']['position']['before'];

/** The id of a neighbour: a group, or a section outside of groups. */
function neighbour(structure: Structure, named: Neighbour): string | undefined {
  if (named === undefined) return undefined;
  if (named.type === 'site-section-group') return groupIn(structure, named.id).id;
  const section = sectionIn(structure, named.id);
  if (section.group_id === null) return section.id;
  throw refusal(409, `Section ${section.id} is in a group; name the group ${section.group_id} instead.`);
}

function sectionsOf({ sections }: Structure, group: Pick<GroupRow, 'id'>): SectionRow[] {
  return sections.filter(({ group_id }) => group_id === group.id);
}

function answer(call: OnSite, id: string) {
  const structure = currentStructure(call);
  return toGroup(structure, groupIn(structure, id));
}
