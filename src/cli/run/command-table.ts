import type { CommandTable, OperationCommand } from '../../policy/policy.js';
import type { GroupEntry } from '../declare/command.js';
import { isOfOperations, outlineTree } from '../declare/outline.js';

/** What the rules of a policy can name, of the command tree in outline. */
export async function commandTable(groups: readonly GroupEntry[]): Promise<CommandTable> {
  const tree = await outlineTree(groups);
  const operations = new Map<string, OperationCommand>();
  for (const { path, node } of tree.filter((one) => isOfOperations(one.node)))
    for (const { id } of node.operations) operations.set(id, { words: path, danger: node.danger });
  return { commands: tree.map(({ path }) => path), operations };
}
