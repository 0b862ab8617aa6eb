import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Page, View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { openBackup } from '../../workflows/backup/folder/open-folder.js';
import { showRun } from '../../workflows/backup/versions/show.js';

/** `docs backup show`: lists what a run changed. */

/** @throws DocsError as `openBackup`, `showRun` */
export async function show(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const { folder, ...read } = await openBackup(resolve(io.cwd, String(input.args.folder)));
  const { run, before, changes } = await showRun(folder, read, String(input.args.run), io.now());
  let [count, byHash] = [0, 0];
  const pages = async function* (): AsyncGenerator<Page> {
    for await (const change of changes) {
      count += 1;
      if (change.compared === 'hashes') byHash += 1;
      yield { items: [change], next: 'more' };
    }
  };
  // The note below says it, with what was compared.
  const { empty: _, ...shown } = view;
  await printer.list(pages(), shown);
  const words = count === 0 ? 'no differences' : counted(count, 'difference');
  const from = before === undefined ? 'the first run' : `compared with run ${before.run}`;
  printer.note(`Run ${run.run}, ${from}: ${words}.`);
  if (byHash > 0)
    printer.warn(
      `${counted(byHash, 'difference')} by hash alone: the files of that run are lost or damaged.`,
    );
  if (run.state !== 'whole')
    printer.warn(`Run ${run.run} is ${run.state}: what it lacks is listed as removed, or not at all.`);
}
