import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, wantsRows } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import type { View } from '../../output/printer.js';
import { terminalWidth } from '../../output/terminal.js';
import { readLiveSite, treeOf } from '../../site-tree/read-site.js';
import { type TreeNode, treeText } from '../../site-tree/text.js';

/** `docs sites tree`: text for people and their editors, or a row for each part. @throws DocsError as the reads */
export async function printTree(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, printer, settings } = session;
  const isText = !isStructured(session) && !wantsRows(session) && settings.fields === undefined;
  await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const site = await readLiveSite(reading.client, reading.organizationId, String(input.args.site));
  const tree = treeOf(site);
  if (!isText) {
    await printer.list([...rowsOf(tree.nodes, 0)], { ...view, depth: 'depth' });
    return;
  }
  const columns = io.stdout.isTTY === true ? terminalWidth(io) : undefined;
  const text = treeText(tree, { urls: input.options.urls !== false, ...defined({ columns }) });
  await printer.painted(text);
  if (tree.nodes.length === 0) printer.note(view.empty ?? '');
}

function* rowsOf(
  nodes: readonly TreeNode[],
  depth: number,
  parent?: string,
): Generator<Record<string, unknown>> {
  for (const { kind, id, space, title, path, isDefault, url, children } of nodes) {
    yield defined({ kind, depth, title, path, default: isDefault, url, id, space, parent });
    yield* rowsOf(children, depth + 1, id);
  }
}
