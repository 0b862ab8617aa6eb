import { resolve } from 'node:path';
import { diffBackups } from '../../backup/diff.js';
import type { Difference } from '../../backup/diff-items.js';
import { openBackup } from '../../backup/open-folder.js';
import { DocsError } from '../../errors.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import type { ManualInput } from '../command.js';
import type { Session } from '../session.js';
import { fieldPaths } from '../view.js';
import { Difference as DifferenceShape } from './results.js';

/** `docs backup diff`: what changed from one backup to another. */

const view: View = {
  columns: ['change', 'kind', 'title', 'space', 'path', 'from', 'id'].map((path) => ({ path })),
  ...fieldPaths(DifferenceShape),
  empty: 'No differences.',
};

/** @throws DocsError findings (exit 17) with `--exit-code` where something differs; as `openBackup` */
export async function diff(session: Session, input: ManualInput): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const [a, b] = await Promise.all(
    [input.args.a, input.args.b].map((typed) => openBackup(resolve(io.cwd, String(typed)))),
  );
  if (a === undefined || b === undefined) return;
  for (const { folder, manifest } of [a, b])
    if (manifest.state !== 'whole')
      printer.warn(`${folder.root} is ${manifest.state}: what it lacks shows as removed or not changed.`);
  let count = 0;
  const pages = async function* (): AsyncGenerator<Page> {
    for await (const difference of diffBackups(a, b)) {
      count += 1;
      yield { items: [difference satisfies Difference], next: 'more' };
    }
  };
  await printer.list(pages(), view);
  const words = count === 0 ? 'No differences.' : `${counted(count, 'difference')}.`;
  if (count > 0 && input.options.exitCode === true) throw new DocsError('findings', 'backups_differ', words);
  printer.note(words);
}
