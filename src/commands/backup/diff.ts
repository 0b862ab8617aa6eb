import { resolve } from 'node:path';
import { DocsError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { wantsText } from '../../cli/run/output.js';
import type { Document } from '../../document/document.js';
import { counted, grouped } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { hasAccess } from '../../workflows/backup/ages.js';
import { diffBackups, type Opened } from '../../workflows/backup/diff/backups.js';
import { foldedForReading } from '../../workflows/backup/diff/folded.js';
import { openBackup } from '../../workflows/backup/folder/open-folder.js';
import type { Difference } from '../../workflows/backup/report.js';
import { reportPage } from '../report-page.js';

/** `docs backup diff`: lists what changed from one backup to another. */

/** @throws DocsError findings (exit 17) with `--exit-code` if something differs; as `openBackup` */
export async function diff(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const page = await reportPage(session, input);
  const open = (typed: unknown) => openBackup(resolve(io.cwd, String(typed)));
  const [a, b] = await Promise.all([open(input.args.a), open(input.args.b)]);
  for (const { folder, manifest } of [a, b])
    if (manifest.state !== 'whole')
      printer.warn(`${folder.root} is ${manifest.state}: what it lacks is listed as removed, or not at all.`);
  let count = 0;
  const kept: Difference[] = [];
  const folds = isForReading(session);
  let followed = 0;
  const pages = async function* (): AsyncGenerator<Page> {
    for await (const difference of diffBackups(a, b)) {
      count += 1;
      if (page !== undefined || folds) kept.push(difference);
      if (!folds) yield { items: [difference], next: 'more' };
    }
    if (!folds) return;
    const folded = foldedForReading(kept);
    followed = folded.followed;
    yield { items: folded.differences };
  };
  // The note below says it everywhere.
  const { empty: _, ...shown } = view;
  await printer.list(pages(), shown).catch((cause: unknown) => {
    page?.left(cause);
    throw cause;
  });
  const without = [a, b].filter(({ manifest }) => !hasAccess(manifest)).map(({ folder }) => folder.root);
  if (without.length > 0)
    printer.note(`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`);
  await page?.write(await pageOf(kept, input, [a, b]));
  const follows =
    followed === 0 ? '' : `, ${grouped(followed)} of them permissions that follow from a new role`;
  const words = count === 0 ? 'No differences.' : `${counted(count, 'difference')}${follows}.`;
  if (count > 0 && input.options.exitCode === true) throw new DocsError('findings', 'backups_differ', words);
  printer.note(words);
}

/** Formats for people; a person who names fields, or an order, gets a row for each difference. */
function isForReading(session: Session): boolean {
  const { settings, globals, sorts } = session;
  const isNamed = (settings.fields ?? globals.jq ?? sorts) !== undefined;
  return wantsText(session) || (!isNamed && settings.output?.value === 'table');
}

async function pageOf(
  differences: readonly Difference[],
  { args }: ManualInput,
  [a, b]: readonly [Opened, Opened],
): Promise<Document> {
  const { diffReport } = await import('./diff-page.js');
  return diffReport(differences, [
    { name: String(args.a), manifest: a.manifest },
    { name: String(args.b), manifest: b.manifest },
  ]);
}
