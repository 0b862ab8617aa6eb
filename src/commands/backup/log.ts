import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { View } from '../../output/printer.js';
import { openBackup } from '../../workflows/backup/folder/open-folder.js';
import { runsOf } from '../../workflows/backup/versions/log.js';

/** `docs backup log`: lists the runs of a backup. */

/** @throws DocsError as `openBackup` */
export async function log(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const { folder, ...read } = await openBackup(resolve(io.cwd, String(input.args.folder)));
  await printer.list(await runsOf(folder, read), view);
}
