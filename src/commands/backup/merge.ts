import { relative, resolve, sep } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import type { Manifest } from '../../workflows/backup/folder/manifest.js';
import { openFolder } from '../../workflows/backup/folder/open-folder.js';
import { trustIn } from '../../workflows/backup/folder/trust.js';
import { type JoinOptions, joinParts, spacesThere } from '../../workflows/backup/parts/join.js';
import { openParts } from '../../workflows/backup/parts/open-parts.js';
import type { PlannedSpace } from '../../workflows/backup/report.js';
import { recordRun } from '../../workflows/last-runs/last-runs.js';
import { partTimes, tellTimes } from '../shards.js';
import { planView } from './plan-view.js';
import { platformOf } from './platform.js';
import { keepOf, signerOf, tell } from './tell-run.js';

/** `docs backup merge`: joins the parts of `docs backup run --shard`. */

/** @throws DocsError usage; partial (exit 3), as `openParts`, `joinParts`; findings (exit 17) as a run */
export async function merge(session: Session, input: ManualInput, view: View): Promise<void> {
  const { globals, printer, io } = session;
  const [from, out] = [String(input.args.folder), String(input.options.out)];
  await printer.check(globals.dryRun ? planView : view);
  const path = resolve(io.cwd, out);
  const source = resolve(io.cwd, from);
  if (isWithin(path, source) && isWithin(source, path))
    throw usageError(
      'contradiction',
      '--out is the folder of the parts; the whole needs a folder of its own',
    );
  const signer = await signerOf(session, input);
  const again = `docs backup run --out ${shellWord(from, io.platform)}`;
  const [first, ...others] = await openParts(source, again);
  if (first === undefined) throw new Error('There is no part.');
  const parts: JoinOptions['parts'] = [first, ...others];
  const options: JoinOptions = { parts, path, again, keep: keepOf(input), now: () => io.now() };
  const signed = { ...options, ...(signer && { signer }) };
  tellTimes(session, partTimes(parts.map(({ record }) => record)));
  if (globals.dryRun) return showPlan(session, signed);
  const quiet = globals.quiet ?? false;
  const total = parts.reduce((sum, { manifest }) => sum + manifest.spaces.length, 0);
  const progress = startProgress(io, { text: 'Joining spaces', quiet, total });
  const onProgress = (_: number, done: number): void => progress.count(done, 0);
  const outcome = await joinParts({ ...signed, onProgress }).finally(() => progress.stop());
  await remember(session, path, outcome.manifest);
  const place = {
    folder: out,
    again: `docs backup merge ${shellWord(from, io.platform)} --out ${shellWord(out, io.platform)}`,
  };
  await tell(session, outcome, { place, view, signer });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}

async function showPlan(session: Session, options: JoinOptions): Promise<void> {
  const { printer } = session;
  const { parts, path, signer } = options;
  const { record } = parts[0];
  const { folder, last } = await openFolder(path, record.organization, record.platform);
  const trust = await trustIn(folder, last, signer);
  const there = await spacesThere(folder, trust, parts);
  const known = new Set((trust.previous?.spaces ?? []).map(({ id }) => id));
  const spaces = parts.flatMap(({ manifest }) => manifest.spaces);
  const rows = spaces.map(({ id, title }): PlannedSpace => {
    return { id, title, state: there.has(id) ? 'unchanged' : known.has(id) ? 'changed' : 'new' };
  });
  const found = new Set(spaces.map(({ id }) => id));
  const gone = (trust.previous?.spaces ?? []).filter(({ id }) => !found.has(id));
  if (parts.every((part) => part.record.whole))
    for (const { id, title } of gone) rows.push({ id, title, state: 'removed' });
  await printer.list(
    rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
    planView,
  );
  printer.note(
    `Dry run: ${counted(parts.length, 'part')} with ${counted(spaces.length, 'space')}; nothing was written.`,
  );
}

/** That the backup is there is what `docs overview` tells. */
async function remember(
  session: Session,
  folder: string,
  { state, finishedAt, startedAt, failed, organization, platform }: Manifest,
): Promise<void> {
  const origin = originOf(session);
  if (origin === '' || platformOf(session) !== platform) return;
  const run = { at: finishedAt ?? startedAt, folder, state, failed: failed.length };
  await recordRun(session.io, { origin, organization: organization.id }, 'backup', run);
}
