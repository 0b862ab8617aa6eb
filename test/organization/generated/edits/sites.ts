import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Act, Editing } from '../edit.js';
import { type Node, text } from '../files.js';

/** Edits of what is on a site: groups, sections and spaces. */

interface Part {
  file: string;
  node: Node;
}

export const conditions = ['visitor.claims.beta', '!visitor.claims.beta', 'visitor.claims.plan == "a: b"'];
const icons = ['house', 'null', 'plug'];

export function partsOf({ files }: Editing, marker: Node['marker']): Part[] {
  return files.sites.flatMap((file) =>
    files
      .nodes(file, 'structure')
      .filter((node) => node.marker === marker)
      .map((node) => ({ file, node })),
  );
}

export const siteOf = ({ files }: Editing, file: string): YAMLMap => {
  const site = files.top(file).get('site');
  if (isMap(site)) return site;
  throw new Error(`${file} has no site`);
};

export const siteKey = (file: string): string => file.slice('sites/'.length, -'.yaml'.length);
const addressOf = ({ file, node }: Part): string =>
  `${node.marker === 'space' ? 'site-space' : node.marker}s/${siteKey(file)}/${text(node.map, node.marker)}`;

/** The list of a part with this name, made where it is missing. */
function listOf(editing: Editing, map: YAMLMap, key: 'sections' | 'spaces'): YAMLSeq {
  if (!isSeq(map.get(key))) map.set(key, editing.files.document('org.yaml').createNode([]));
  const list = map.get(key);
  if (isSeq(list)) return list;
  throw new Error(`${key} is not a list`);
}

const spacesIn = ({ node }: Part): number => {
  const list = node.map.get('spaces');
  return isSeq(list) ? list.items.length : 0;
};

/** Spaces of the library that the platform has, and that are not on the site. */
function freeSpaces(editing: Editing, file: string): string[] {
  const { files, expected } = editing;
  const shown = new Set(
    partsOf(editing, 'space').flatMap((part) => (part.file === file ? nameOf(part) : [])),
  );
  const library = files.nodes('library.yaml', 'library').filter(({ marker }) => marker === 'space');
  return library
    .map(({ map }) => text(map, 'space'))
    .filter((key) => !shown.has(key) && !expected.findings.has(`spaces/${key}`));
}

const nameOf = ({ node }: Part): string => text(node.map, node.marker);

/** Whether it is shown by default, or may be where the file does not say. */
function isDefault(editing: Editing, part: Part): boolean {
  const holder = part.node.marker === 'space' ? part.node.parent?.map : undefined;
  const chosen = text(holder ?? siteOf(editing, part.file), 'default');
  return chosen === '' || chosen === nameOf(part);
}

function remove({ node }: Part): void {
  node.list.items.splice(node.list.items.indexOf(node.map), 1);
}

/** Files of sites that have sections. */
const sectioned = (editing: Editing): string[] => [
  ...new Set(partsOf(editing, 'section').map(({ file }) => file)),
];

/** Those of which the section shown first has spaces: the platform shows another one as soon as there is one. */
const filled = (editing: Editing): string[] =>
  sectioned(editing).filter((file) =>
    partsOf(editing, 'section').some(
      (part) => part.file === file && isDefault(editing, part) && spacesIn(part) > 0,
    ),
  );

export const structureEdits = {
  renamePart(editing) {
    const part = editing.pick([...partsOf(editing, 'section'), ...partsOf(editing, 'group')]);
    part?.node.map.set('title', editing.title(2, 64));
  },
  describeSection(editing) {
    const section = editing.pick(partsOf(editing, 'section'));
    section?.node.map.set('description', editing.title(1, 200));
  },
  changeIcon(editing) {
    const part = editing.pick([...partsOf(editing, 'section'), ...partsOf(editing, 'group')]);
    part?.node.map.set('icon', editing.pick(icons));
  },
  changeCondition(editing) {
    const part = editing.pick([...partsOf(editing, 'section'), ...partsOf(editing, 'space')]);
    part?.node.map.set('condition', editing.pick(conditions));
  },
  changePath(editing) {
    const part = editing.pick([...partsOf(editing, 'section'), ...partsOf(editing, 'space')]);
    part?.node.map.set('path', editing.newKey());
  },
  swapPaths(editing) {
    const marker = editing.pick(['section', 'space'] as const) ?? 'section';
    const one = editing.pick(partsOf(editing, marker));
    const level = partsOf(editing, marker).filter(
      ({ file, node }) => file === one?.file && (marker === 'section' || node.list === one.node.list),
    );
    const two = editing.pick(level);
    if (one === undefined || two === undefined) return;
    if (text(one.node.map, 'path') === '' || text(two.node.map, 'path') === '') return;
    const path = text(one.node.map, 'path');
    one.node.map.set('path', text(two.node.map, 'path'));
    two.node.map.set('path', path);
  },
  reorder(editing) {
    const all = (['group', 'section', 'space'] as const).flatMap((marker) => partsOf(editing, marker));
    const part = editing.pick(all);
    if (part === undefined) return;
    const { list, map } = part.node;
    remove(part);
    list.items.splice(editing.number() % (list.items.length + 1), 0, map);
  },
  moveSection(editing) {
    const section = editing.pick(partsOf(editing, 'section'));
    if (section === undefined || !editing.claim(`move ${addressOf(section)}`)) return;
    const groups = partsOf(editing, 'group').filter(({ file }) => file === section.file);
    const group = editing.pick([undefined, ...groups]);
    const list =
      group === undefined
        ? editing.files.list(section.file, 'structure')
        : listOf(editing, group.node.map, 'sections');
    remove(section);
    list.flow = false;
    list.items.splice(editing.number() % (list.items.length + 1), 0, section.node.map);
  },
  addGroup(editing) {
    const file = editing.pick(sectioned(editing));
    if (file === undefined) return;
    const group = { group: editing.newKey(), title: editing.title(1, 100), icon: 'plug', sections: [] };
    const list = editing.files.list(file, 'structure');
    editing.files.add(list, group, editing.number() % (list.items.length + 1));
  },
  addSection(editing) {
    const file = editing.pick(filled(editing));
    const space = file && editing.pick(freeSpaces(editing, file));
    if (file === undefined || space === undefined) return;
    const group = editing.pick([
      undefined,
      ...partsOf(editing, 'group').filter((each) => each.file === file),
    ]);
    const list =
      group === undefined
        ? editing.files.list(file, 'structure')
        : listOf(editing, group.node.map, 'sections');
    const key = editing.newKey();
    const section = { section: key, title: editing.title(2, 64), path: key, spaces: [{ space, path: 's' }] };
    editing.claim(`sections/${siteKey(file)}/${key}`);
    editing.files.add(list, section, editing.number() % (list.items.length + 1));
  },
  addSiteSpace(editing) {
    const beside = editing.pick(partsOf(editing, 'space'));
    const space = beside && editing.pick(freeSpaces(editing, beside.file));
    if (beside === undefined || space === undefined) return;
    editing.claim(`site-spaces/${siteKey(beside.file)}/${space}`);
    const { list } = beside.node;
    const place = { space, path: editing.newKey() };
    editing.files.add(list, place, editing.number() % (list.items.length + 1));
  },
  moveSiteSpace(editing) {
    const spare = partsOf(editing, 'space').filter(
      (part) => part.node.list.items.length > 1 && !isDefault(editing, part),
    );
    const part = editing.pick(spare);
    if (part === undefined || !editing.claim(addressOf(part))) return;
    const sections = partsOf(editing, 'section').filter(({ file }) => file === part.file);
    const section = editing.pick(sections.filter((each) => spacesIn(each) > 0));
    if (section === undefined || section.node.map === part.node.parent?.map) return;
    const list = listOf(editing, section.node.map, 'spaces');
    remove(part);
    editing.expected.anew.add(`site-spaces/${nameOf(part)}`);
    part.node.map.set('path', editing.newKey());
    list.items.splice(editing.number() % (list.items.length + 1), 0, part.node.map);
  },
  removeSiteSpace(editing) {
    const all = partsOf(editing, 'space');
    const spare = all.filter((part) => part.node.list.items.length > 1 && !isDefault(editing, part));
    const part = editing.pick(spare);
    if (part === undefined || !editing.claim(addressOf(part))) return;
    remove(part);
    editing.exact(part.file);
  },
  removeSection(editing) {
    const spare = partsOf(editing, 'section').filter((part) => !isDefault(editing, part));
    const part = editing.pick(spare);
    if (part === undefined || !editing.claim(addressOf(part))) return;
    for (const { file, node } of partsOf(editing, 'space'))
      if (file === part.file && node.parent?.map === part.node.map) editing.claim(addressOf({ file, node }));
    remove(part);
    editing.exact(part.file);
  },
  removeGroup(editing) {
    const part = editing.pick(partsOf(editing, 'group'));
    if (part === undefined || !editing.claim(addressOf(part))) return;
    const { list, map } = part.node;
    list.items.splice(list.items.indexOf(map), 1, ...listOf(editing, map, 'sections').items);
    editing.exact(part.file);
  },
  changeDefault(editing) {
    const section = editing.pick(partsOf(editing, 'section').filter((part) => spacesIn(part) > 0));
    if (section === undefined) return;
    const inSection = partsOf(editing, 'space').filter(({ node }) => node.parent?.map === section.node.map);
    const space = editing.pick(inSection);
    if (editing.number() % 2 === 0) siteOf(editing, section.file).set('default', nameOf(section));
    else if (space !== undefined) section.node.map.set('default', nameOf(space));
  },
} satisfies Record<string, Act>;
