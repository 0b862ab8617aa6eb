import { type Command, type Group, type GroupEntry, isGroup, type Topic } from './command.js';

/** A command and the words after `docs` that reach it. */
export interface TreeEntry {
  path: string;
  command: Command;
  group?: Group;
  /** Heading in the root help. */
  topic?: Topic;
}

/** Loads every group and walks the tree, in the order of the root help; hidden groups are left out. */
export async function commandTree(groups: readonly GroupEntry[]): Promise<TreeEntry[]> {
  const shown = groups.filter((entry) => !entry.hidden);
  const loaded = await Promise.all(
    shown.map(async (entry) => ({ name: entry.name, topic: entry.topic, node: await entry.load() })),
  );
  return loaded.flatMap(({ name, topic, node }) =>
    entriesOf(node, name).map((entry) => ({ ...entry, topic })),
  );
}

function entriesOf(node: Command | Group, path: string, group?: Group): TreeEntry[] {
  if (!isGroup(node)) return [{ path, command: node, ...(group && { group }) }];
  const below = node.commands.flatMap((child) => entriesOf(child, `${path} ${child.name}`, node));
  return node.own === undefined ? below : [{ path, command: node.own, group: node }, ...below];
}

/**
 * The command of a path and the group it stands in, loaded with that group alone.
 * @param path the words after `docs`, none of them an alias
 * @throws Error where there is none
 */
export async function commandAt(
  groups: readonly GroupEntry[],
  path: string,
): Promise<{ command: Command; group?: Group; groupPath?: string }> {
  const [root, ...words] = path.split(' ');
  let node = await groups.find(({ name }) => name === root)?.load();
  let group: Group | undefined;
  for (const word of words) {
    group = node !== undefined && isGroup(node) ? node : undefined;
    node = group?.commands.find(({ name }) => name === word);
  }
  if (node !== undefined && isGroup(node) && node.own !== undefined)
    return { command: node.own, group: node, groupPath: path };
  if (node === undefined || isGroup(node)) throw new Error(`There is no command ${path}.`);
  if (group === undefined) return { command: node };
  return { command: node, group, groupPath: path.slice(0, path.lastIndexOf(' ')) };
}
