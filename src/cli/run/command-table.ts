import { namedResources, type Resource } from '../../model/resources.js';
import type { CommandTable, OperationCommand, ResourceKind } from '../../policy/command-table.js';
import type { GroupEntry } from '../declare/command.js';
import { isOfOperations, outlineTree } from '../declare/outline.js';

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
  const isFirst = ({ name, parameter }: Resource) =>
    namedResources.find((one) => one.parameter === parameter)?.name === name;
  const first = namedResources.filter(isFirst);
  return first.map((kind) => {
    const { printed, parameter, gets, lists, id } = kind;
    const words = [...new Set([printed.argument, kind.name])];
    return { name: printed.argument, words, parameter, gets, lists, id, titles: titlesOf(kind) };
  });
}

/** What people call it, and the address that tells two of one title apart. */
function titlesOf({ titles, also }: Resource): string[] {
  return [...new Set([...titles, ...(also === undefined ? [] : [also])])];
}
