import { DocsError, usageError } from '../../../base/errors.js';
import { shellWord } from '../../../base/shell-word.js';
import { parseSpan } from '../../../settings/duration.js';
import type { Folder } from '../folder/folder.js';
import type { Manifest } from '../folder/manifest.js';
import { runOf } from './entries.js';
import { type RunRecord, readRecords } from './records.js';

const dayMs = 86_400_000;

/**
 * The run that `--at` names: a number, `latest`, a time, or an age such as `2d`: the last run that started at or
 * before it. A date means the end of that day (UTC).
 * @returns undefined for the run of the present backup
 * @throws DocsError usage `unknown_run`, `invalid_run`; exit 13
 */
export async function chooseRun(
  folder: Folder,
  present: Manifest,
  at: string,
  nowMs: number,
): Promise<RunRecord | undefined> {
  if (at === 'latest') return undefined;
  const records = await readRecords(folder);
  if (/^\d+$/.test(at)) {
    if (Number(at) === runOf(present)) return undefined;
    return records.find(({ run }) => run === Number(at)) ?? unknown(folder, present, records, `run ${at}`);
  }
  const ms = instantOf(at, nowMs);
  if (present.state !== 'unfinished' && Date.parse(present.startedAt) <= ms) return undefined;
  const last = records.findLast(({ startedAt }) => Date.parse(startedAt) <= ms);
  return last ?? unknown(folder, present, records, `a run at or before ${new Date(ms).toISOString()}`);
}

function instantOf(at: string, nowMs: number): number {
  const span = parseSpan(at.replace(/\s+ago$/, ''));
  if (span !== undefined) return nowMs - span;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(at);
  const isTime = isDay || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.test(at);
  const ms = isTime ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(ms))
    throw usageError('invalid_run', `${JSON.stringify(at.slice(0, 40))} is not a run`, {
      hint: 'docs backup log <folder>',
    });
  return isDay ? ms + dayMs - 1 : ms;
}

/** The command that lists the runs of a backup. */
export function logCommand(root: string): string {
  return `docs backup log ${shellWord(root, process.platform)}`;
}

function unknown({ root }: Folder, present: Manifest, records: readonly RunRecord[], what: string): never {
  const last = runOf(present);
  const runs = records.map(({ run }) => run);
  const there = runs.length === 0 ? `only run ${last} is` : `runs ${rangesOf([...runs, last])} are`;
  throw usageError('unknown_run', `${what} not found in ${root}: ${there} there`, {
    hint: logCommand(root),
    details: { runs: [...runs, last] },
  });
}

/** `1, 3 to 7`. */
function rangesOf(runs: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const run of runs) {
    const last = ranges.at(-1);
    if (last !== undefined && run === last[1] + 1) last[1] = run;
    else ranges.push([run, run]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

/** Whether a failure says that bytes of a run are lost. */
export function isLost(cause: unknown): boolean {
  return cause instanceof DocsError && ['missing_in_backup', 'bad_manifest'].includes(cause.code);
}
