import * as sectionApi from '../../api/resources/sections.js';
import * as siteSpaceApi from '../../api/resources/site-spaces.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import { arrange, lastPosition, positionFrom, reorder } from '../positions.js';
import {
  defaultSiteSpaceOf,
  type GroupRow,
  groupIn,
  type SectionRow,
  type SiteSpaceRow,
  type Structure,
  sectionIn,
  siteSpaceIn,
  toGroup,
  toSection,
  toSiteSpace,
} from '../records/site.js';
import { notFound, refusal } from '../refusal.js';
import { insert, update } from '../store/rows.js';
import {
  addSection,
  addSiteSpace,
  currentStructure,
  type OnSite,
  placeSections,
  refuseTakenPath,
  refuseToEmpty,
  requirePathAndCondition,
  setDefaultSection,
  setDefaultSiteSpace,
  successor,
  topLevel,
  visibleSpace,
} from './site-changes.js';

const siteSpaceHandlers = [
  handle(siteSpaceApi.listSiteSpaces, (call) => {
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

  handle(siteSpaceApi.createSiteSpace, (call) => {
    const { body } = call;
    const structure = currentStructure(call);
    const section = body.sectionId ?? structure.defaultSection;
    const sectionId = section === undefined ? null : sectionIn(structure, section).id;
    return siteSpaceNow(call, addSiteSpace(call, sectionId, visibleSpace(call, body.spaceId)));
  }),

  handlePrepared(siteSpaceApi.updateSiteSpace, requirePathAndCondition, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    const others = db.all<{ path: string }>(
      'SELECT path FROM site_spaces WHERE site_id = ? AND section_id IS ? AND id <> ?',
      ...[path.siteId, row.section_id, row.site_space_id],
    );
    refuseTakenPath(others, body.path);
    update(db, 'site_spaces', row.site_space_id, { path: body.path, condition: body.condition });
    return siteSpaceNow(call, row.site_space_id);
  }),

  /** The next one replaces it as the default. A section of a published site keeps at least one. */
  handle(siteSpaceApi.deleteSiteSpace, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    refuseToEmpty(structure, ({ site_space_id }) => site_space_id === row.site_space_id);
    const level = levelOf(structure, row);
    if (structure.site.published === 1 && level.length === 1) {
      const hint = 'delete the section instead';
      throw refusal(409, `cannot remove the last space of a section on a published site; ${hint}`);
    }
    const next = successor(level, row);
    if (row.is_default === 1 && next !== undefined) setDefaultSiteSpace(call, next);
    db.run('DELETE FROM site_spaces WHERE id = ?', row.site_space_id);
  }),

  /** Moves it within its section, or within the root. */
  handle(siteSpaceApi.moveSiteSpace, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const row = siteSpaceIn(structure, path.siteSpaceId);
    const before = body.position.before?.siteSpace;
    const after = body.position.after?.siteSpace;
    for (const neighbour of [before, after]) {
      if (neighbour !== undefined && siteSpaceIn(structure, neighbour).section_id !== row.section_id) {
        throw refusal(409, `the site space ${neighbour} is in another section`);
      }
    }
    const list = levelOf(structure, row).map((each) => ({ id: each.site_space_id, position: each.position }));
    const positions = reorder(list, row.site_space_id, { before, after }, 'site space');
    for (const [id, position] of positions) {
      db.run('UPDATE site_spaces SET position = ? WHERE id = ?', position, id);
    }
    return siteSpaceNow(call, row.site_space_id);
  }),
];

/** The spaces of the same section, or of the root, in their order. */
function levelOf({ siteSpaces }: Structure, row: SiteSpaceRow): SiteSpaceRow[] {
  return siteSpaces.filter(({ section_id }) => section_id === row.section_id);
}

function siteSpaceNow(call: OnSite, id: string) {
  const structure = currentStructure(call);
  return toSiteSpace(structure, siteSpaceIn(structure, id), defaultSiteSpaceOf(structure));
}

const groupHandlers = [
  handle(sectionApi.listSectionGroups, (call) => {
    const structure = currentStructure(call);
    return call.page.of({
      entries: structure.groups,
      key: ({ position }) => position,
      item: (row) => toGroup(structure, row),
    });
  }),

  /** It takes the place of the first of its sections; without any, it goes to the end. */
  handle(sectionApi.createSectionGroup, (call) => {
    const { db, path, body, newId } = call;
    const structure = currentStructure(call);
    const { title, icon = null } = body;
    const id = newId();
    const top = topLevel(structure);
    const first = top.find((one) => body.sections?.includes(one.id));
    const position = first?.position ?? lastPosition(top);
    insert(db, 'section_groups', { id, site_id: path.siteId, title, icon, position });
    for (const sectionId of new Set(body.sections)) putInto(call, id, sectionId);
    return groupNow(call, id);
  }),

  handle(sectionApi.updateSectionGroup, (call) => {
    const { db, path, body } = call;
    const { id } = groupIn(currentStructure(call), path.siteSectionGroupId);
    update(db, 'section_groups', id, { title: body.title, icon: body.icon });
    return groupNow(call, id);
  }),

  /** Keeps its sections, in their order, in place of the group. */
  handle(sectionApi.deleteSectionGroup, (call) => {
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

  handle(sectionApi.addSectionToGroup, (call) => {
    const { path, body } = call;
    const { id } = groupIn(currentStructure(call), path.siteSectionGroupId);
    putInto(call, id, body.sectionId);
    return groupNow(call, id);
  }),

  /** Moves the section out of the group, directly after it. */
  handle(sectionApi.removeSectionFromGroup, (call) => {
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

  handle(sectionApi.moveSectionGroup, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const { id } = groupIn(structure, path.siteSectionGroupId);
    const before = neighbour(structure, body.position.before);
    const after = neighbour(structure, body.position.after);
    placeSections(db, reorder(topLevel(structure), id, { before, after }, 'site section group'));
    return groupNow(call, id);
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

type Neighbour = Call<typeof sectionApi.moveSectionGroup>['body']['position']['before'];

/** The id of a neighbour: a group, or a section outside of groups. */
function neighbour(structure: Structure, named: Neighbour): string | undefined {
  if (named === undefined) return undefined;
  if (named.type === 'site-section-group') return groupIn(structure, named.id).id;
  const section = sectionIn(structure, named.id);
  if (section.group_id === null) return section.id;
  throw refusal(409, `section ${section.id} is in a group; name the group ${section.group_id} instead`);
}

function sectionsOf({ sections }: Structure, group: Pick<GroupRow, 'id'>): SectionRow[] {
  return sections.filter(({ group_id }) => group_id === group.id);
}

function groupNow(call: OnSite, id: string) {
  const structure = currentStructure(call);
  return toGroup(structure, groupIn(structure, id));
}

const sectionHandlers = [
  handle(sectionApi.listSections, (call) => {
    const structure = currentStructure(call);
    return call.page.of({
      entries: structure.sections,
      key: ({ place }) => place,
      item: (row) => toSection(structure, row),
    });
  }),

  handle(sectionApi.createSection, (call) => {
    currentStructure(call);
    return sectionNow(call, addSection(call, visibleSpace(call, call.body.spaceId), call.body.title));
  }),

  handlePrepared(sectionApi.updateSection, requirePathAndCondition, (call) => {
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
        throw refusal(409, `the site space ${row.site_space_id} is in another section`);
      }
      setDefaultSiteSpace(call, row);
    }
    return sectionNow(call, section.id);
  }),

  /** Removes its spaces from the site. The next section replaces it as the default. */
  handle(sectionApi.deleteSection, (call) => {
    const { db, path } = call;
    const structure = currentStructure(call);
    const section = sectionIn(structure, path.siteSectionId);
    refuseToEmpty(structure, (row) => row.section_id === section.id);
    const next = successor(structure.sections, section);
    if (section.is_default === 1 && next !== undefined) setDefaultSection(call, next.id);
    db.run('DELETE FROM sections WHERE id = ?', section.id);
  }),

  /** Moves it within its group, or within the top level. Groups have an operation of their own. */
  handle(sectionApi.moveSection, (call) => {
    const { db, path, body } = call;
    const structure = currentStructure(call);
    const section = sectionIn(structure, path.siteSectionId);
    const before = body.position.before?.siteSection;
    const after = body.position.after?.siteSection;
    for (const neighbour of [before, after]) {
      if (neighbour === undefined) continue;
      if (sectionIn(structure, neighbour).group_id !== section.group_id) {
        throw refusal(409, `section ${neighbour} is in another group; put both into the same group first`);
      }
    }
    const inGroup = structure.sections.filter(({ group_id }) => group_id === section.group_id);
    const list = section.group_id === null ? topLevel(structure) : inGroup;
    placeSections(db, reorder(list, section.id, { before, after }, 'site section'));
    return sectionNow(call, section.id);
  }),
];

function sectionNow(call: OnSite, id: string) {
  const structure = currentStructure(call);
  return toSection(structure, sectionIn(structure, id));
}

export const handlers = [...sectionHandlers, ...groupHandlers, ...siteSpaceHandlers];
