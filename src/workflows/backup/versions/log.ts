import { defined } from '../../../base/values.js';
import type { Folder } from '../folder/folder.js';
import type { ReadManifest, RunEntry } from '../folder/manifest.js';
import { entryOf, logIn } from './entries.js';
import { readRecords } from './records.js';
import type { LoggedRun } from './shapes.js';

/**
 * The runs of a backup, the newest first: the latest 50 and all that are kept. Of a run that is in several
 * places, the record of a kept run is believed.
 * @throws DocsError (exit 13)
 */
export async function runsOf(folder: Folder, present: ReadManifest): Promise<LoggedRun[]> {
  const latest = await entryOf(folder, present);
  const runs = new Map<number, LoggedRun>();
  const take = (entry: RunEntry, kept: boolean): void => {
    if (entry.run < latest.run) runs.set(entry.run, logged(entry, kept));
  };
  for (const entry of logIn(present.manifest)) take(entry, false);
  for (const record of await readRecords(folder)) take(record, true);
  runs.set(latest.run, logged(latest, true));
  return [...runs.values()].sort((a, b) => b.run - a.run);
}

/** Only these fields, whatever else a manifest has. */
function logged(entry: RunEntry, kept: boolean): LoggedRun {
  const { run, startedAt, finishedAt, state, signedBy, spaces, added, changed, removed } = entry;
  return defined({ run, startedAt, finishedAt, state, signedBy, spaces, added, changed, removed, kept });
}
