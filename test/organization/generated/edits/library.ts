import { isMap, isSeq, type YAMLMap } from 'yaml';
import type { Act, Editing } from '../edit.js';
import { type Node, text } from '../files.js';

/** Edits of fields.yaml and library.yaml. */

const fields = ({ files }: Editing) => files.items('fields.yaml', 'fields');
const nodes = ({ files }: Editing) => files.nodes('library.yaml', 'library');
const collections = (editing: Editing) => nodes(editing).filter(({ marker }) => marker === 'collection');
const spaces = (editing: Editing) => nodes(editing).filter(({ marker }) => marker === 'space');
const levels = ['admin', 'edit', 'read', 'inherit'];

/** The list of what stands in a collection, made where it is missing; without a collection the top. */
function contentsOf(editing: Editing, collection: Node | undefined) {
  if (collection === undefined) return editing.files.list('library.yaml', 'library');
  const { map } = collection;
  if (!isSeq(map.get('contents'))) map.set('contents', editing.files.document('library.yaml').createNode([]));
  const list = map.get('contents');
  if (isSeq(list)) return list;
  throw new Error('contents is not a list');
}

/** Whether a node is the other one or stands in it. */
const isWithin = (node: Node | undefined, other: Node): boolean =>
  node !== undefined && (node.map === other.map || isWithin(node.parent, other));

const addressOf = ({ marker, map }: Node): string => `${marker}s/${text(map, marker)}`;

/** A value that a field takes. */
function valueFor(field: YAMLMap, editing: Editing): unknown {
  const type = text(field, 'type');
  const options: unknown = field.toJSON().options;
  const given = Array.isArray(options) ? options : ['any', 'null', 'a: b'];
  if (type === 'number') return editing.number() / 4;
  if (type === 'boolean') return editing.number() % 2 === 0;
  if (type === 'url') return `https://acme.example/${editing.number()}`;
  if (type === 'date') return `2026-02-${10 + (editing.number() % 18)}`;
  if (type === 'multiselect') return [given[editing.number() % given.length]];
  return type === 'select' ? given[editing.number() % given.length] : editing.title(1, 60);
}

export const fieldEdits = {
  describeField(editing) {
    const key = editing.pick(['title', 'description', 'placeholder']) ?? 'title';
    editing.pick(fields(editing))?.set(key, editing.title(1, 100));
  },
  addOption(editing) {
    const field = editing.pick(fields(editing).filter((each) => isSeq(each.get('options'))));
    const options = field?.get('options');
    if (isSeq(options)) options.add(editing.newKey());
  },
  changeFieldType(editing) {
    const field = editing.pick(fields(editing).filter((each) => !editing.touched.has(nameOf(each))));
    if (field === undefined || !editing.claim(nameOf(field))) return;
    field.set('type', text(field, 'type') === 'text' ? 'number' : 'text');
    editing.expected.findings.add(nameOf(field));
  },
  addField(editing) {
    const name = editing.newKey();
    const field = { name, type: 'select', title: editing.title(1, 100), options: ['a', 'null', 'b: c'] };
    editing.files.add(editing.files.list('fields.yaml', 'fields'), field);
    editing.claim(`fields/${name}`);
  },
  removeField(editing) {
    const field = editing.pick(fields(editing));
    if (field === undefined || !editing.claim(nameOf(field))) return;
    const list = editing.files.list('fields.yaml', 'fields');
    list.items.splice(list.items.indexOf(field), 1);
    editing.exact('fields.yaml');
    for (const { map } of spaces(editing)) {
      const values = map.get('fields');
      if (isMap(values)) values.delete(text(field, 'name'));
    }
  },
  setValue(editing) {
    const space = editing.pick(spaces(editing));
    const field = editing.pick(
      fields(editing).filter((each) => !editing.expected.findings.has(nameOf(each))),
    );
    if (space === undefined || field === undefined || editing.expected.findings.has(addressOf(space))) return;
    editing.valuesOf(space.map).set(text(field, 'name'), valueFor(field, editing));
  },
} satisfies Record<string, Act>;

const nameOf = (field: YAMLMap): string => `fields/${text(field, 'name')}`;

export const libraryEdits = {
  renameNode(editing) {
    const node = editing.pick(nodes(editing));
    if (node !== undefined && !editing.expected.findings.has(addressOf(node)))
      node.map.set('title', editing.title(1, 50));
  },
  describeCollection(editing) {
    editing.pick(collections(editing))?.map.set('description', editing.title(1, 100));
  },
  changeLevel(editing) {
    const node = editing.pick(nodes(editing));
    if (node !== undefined && !editing.expected.findings.has(addressOf(node)))
      node.map.set('default_level', editing.pick(levels));
  },
  changeSpace(editing) {
    const space = editing.pick(spaces(editing));
    if (space === undefined || editing.expected.findings.has(addressOf(space))) return;
    if (editing.number() % 2 === 0) space.map.set('emoji', editing.pick(['📘', '🏳️‍🌈', '1️⃣']));
    else space.map.set('edit_mode', editing.pick(['live', 'locked']));
  },
  addCollection(editing) {
    const key = editing.newKey();
    const list = contentsOf(editing, editing.pick([undefined, ...collections(editing)]));
    editing.claim(`collections/${key}`);
    editing.files.add(list, { collection: key, title: editing.title(1, 50), contents: [] });
  },
  addSpace(editing) {
    const key = editing.newKey();
    const list = contentsOf(editing, editing.pick([undefined, ...collections(editing)]));
    editing.claim(`spaces/${key}`);
    editing.files.add(list, { space: key, title: editing.title(1, 50) });
    editing.expected.findings.add(`spaces/${key}`);
  },
  moveNode(editing) {
    const node = editing.pick(nodes(editing));
    if (node === undefined || editing.expected.findings.has(addressOf(node))) return;
    const parents = collections(editing).filter((each) => !isWithin(each, node));
    const list = contentsOf(editing, editing.pick([undefined, ...parents]));
    node.list.items.splice(node.list.items.indexOf(node.map), 1);
    list.flow = false;
    list.items.splice(editing.number() % (list.items.length + 1), 0, node.map);
  },
  removeCollection(editing) {
    const node = editing.pick(collections(editing));
    if (node === undefined || !editing.claim(addressOf(node))) return;
    const list = contentsOf(editing, node);
    node.list.items.splice(node.list.items.indexOf(node.map), 1, ...list.items);
    editing.exact('library.yaml');
  },
  renameNodeKey(editing) {
    const node = editing.pick(nodes(editing));
    if (node === undefined || !editing.claim(addressOf(node))) return;
    const [was, key] = [text(node.map, node.marker), editing.newKey()];
    editing.claim(`${node.marker}s/${key}`);
    node.map.set(node.marker, key);
    node.map.set('was', was);
    if (node.marker === 'space') referInSites(editing, was, key);
  },
} satisfies Record<string, Act>;

/** Spaces of sites are named by the keys of the library; the default of a site with sections is a section. */
function referInSites({ files }: Editing, was: string, key: string): void {
  for (const file of files.sites) {
    const nodes = files.nodes(file, 'structure');
    const site = files.top(file).get('site');
    const root = nodes.every(({ marker }) => marker === 'space') && isMap(site) ? [site] : [];
    for (const map of [...root, ...nodes.map((node) => node.map)])
      for (const name of ['space', 'default']) if (text(map, name) === was) map.set(name, key);
  }
}
