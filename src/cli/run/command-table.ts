import type { CommandTable, OperationCommand, ResourceKind } from '../../policy/command-table.js';
import type { GroupEntry } from '../declare/command.js';
import { isOfOperations, outlineTree } from '../declare/outline.js';
import { type Kind, kinds } from '../resolve/catalogue.js';

/** What the rules of a policy can name, of the command tree in outline. */
export async function commandTable(groups: readonly GroupEntry[]): Promise<CommandTable> {
  const tree = await outlineTree(groups);
  const operations = new Map<string, OperationCommand>();
  for (const { path, node } of tree.filter((one) => isOfOperations(one.node)))
    for (const { id } of node.operations) operations.set(id, { words: path, danger: node.danger });
  return { commands: tree.map(({ path }) => path), operations, kinds: resourceKinds() };
}

/** One kind a path parameter: the members of a team are members. */
function resourceKinds(): ResourceKind[] {
  const first = kinds.filter((kind, at) => kinds.findIndex((one) => one.parameter === kind.parameter) === at);
  return first.map((kind) => {
    const { name, parameter, gets, lists, id } = kind;
    return { name, words: wordsOf(kind), parameter, gets, lists, id, titles: titlesOf(kind) };
  });
}

function wordsOf({ name, noun }: Kind): string[] {
  return [...new Set([name, noun.toLowerCase().replaceAll(' ', '-')])];
}

/** What people call it, and the address that tells two of one title apart. */
function titlesOf({ titles, also }: Kind): string[] {
  return [...new Set([...titles, ...(also === undefined ? [] : [also])])];
}
