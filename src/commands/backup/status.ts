import { resolve } from 'node:path';
import { olderSpaces } from '../../backup/ages.js';
import type { Folder } from '../../backup/folder.js';
import {
  lockName,
  type Manifest,
  manifestName,
  openBackup,
  type SpaceEntry,
  signedBy,
  spaceFolder,
} from '../../backup/manifest.js';
import type { BackupStatus } from '../../backup/shapes.js';
import { trustInSpace } from '../../backup/trust.js';
import { DocsError, usageError } from '../../base/errors.js';
import { workersIn } from '../../base/lock.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, warnReader } from '../../cli/run/output.js';
import type { Report } from '../../cli/run/run-report.js';
import { counted, safeLine, safeText, wordWrapped } from '../../output/text.js';
import { ageText, clockDoubtMs } from '../../plans/check.js';
import { parseSpan } from '../../settings/duration.js';
import { fingerprintOf } from '../../signing/keys.js';

/** `docs backup status`: a monitor, which reads the manifests alone. */

interface StatusRead {
  found: BackupStatus;
  maxAge: MaxAge | undefined;
}

/** Findings (exit 17) `backup_not_current`; usage `invalid_duration`; as `openBackup`. */
export const statusReport: Report<StatusRead> = {
  async read({ session: { io }, input }) {
    const maxAge = maxAgeOf(input);
    const nowMs = io.now();
    const found = await statusOf(await openBackup(resolve(io.cwd, String(input.args.folder))), nowMs);
    if (maxAge !== undefined && isOlder(found, { ms: maxAge.ms, nowMs })) found.problems.unshift('older');
    return { found, maxAge };
  },
  text: ({ found }, { session }) => wordWrapped(textOf(found), session.io.stdout),
  value: ({ found }) => found,
  end({ found, maxAge }, { session, input, form }) {
    tellSpaces(session, found);
    if (found.problems.length > 0)
      return { failure: notCurrent(session, String(input.args.folder), found, maxAge?.text) };
    return form === 'text' ? undefined : { note: safeText(redactText(sentenceOf(found))) };
  },
};

/** How many spaces with older facts are listed by name; `--json` has the rest. */
const mostOlder = 10;

/** Warns of spaces that are not whole or were changed. Older facts are as usual: no warning in the mail of a cron job. */
function tellSpaces(session: Session, { spaces }: BackupStatus): void {
  const isBad = ({ state, changed }: BackupStatus['spaces'][number]) => state !== 'whole' || changed;
  warnReader(session, spaces.filter(isBad).map(spaceWords));
  if (isStructured(session)) return;
  const older = spaces.filter((space) => !isBad(space));
  for (const space of older.slice(0, mostOlder)) session.printer.note(spaceWords(space));
  const more = older.length - mostOlder;
  if (more > 0) session.printer.note(`${counted(more, 'more space')} with older facts; --json lists all.`);
}

/** The state in a sentence, then what the backup holds, and where it is; the rest is for `--json`. */
function textOf(found: BackupStatus): string {
  const { counts, accessReadAt, signedBy, folder } = found;
  const { spaces = 0, pages = 0, files = 0, members = 0 } = counts;
  const numbers = [counted(spaces, 'space'), counted(pages, 'page'), counted(files, 'file')];
  const lines = [
    sentenceOf(found),
    `${[...numbers, counted(members, 'member')].join(', ')}.`,
    accessReadAt === null
      ? 'Permissions in spaces are not in this backup.'
      : `Permissions in spaces are as of ${accessReadAt}.`,
    signedBy === null ? 'Not signed.' : `Signed by ${signedBy}.`,
    folder,
  ];
  return lines.map(safeLine).join('\n');
}

function sentenceOf(found: BackupStatus): string {
  const { title, state, running, older } = found;
  const now = running === null ? state : `being written (${running})`;
  const rest = older === 0 ? '' : `; ${counted(older, 'space')} with older facts`;
  return `${title}: ${now}; ${finishWords(found)}${rest}.`;
}

interface MaxAge {
  text: string;
  ms: number;
}

function maxAgeOf({ options }: ManualInput): MaxAge | undefined {
  const text = options.maxAge;
  if (typeof text !== 'string') return undefined;
  const ms = parseSpan(text);
  if (ms !== undefined) return { text, ms };
  const message = `--max-age: invalid duration ${JSON.stringify(text)}; expected one such as 26h or 7d`;
  throw usageError('invalid_duration', message);
}

/** A time in the future shows nothing of the age. */
function isOlder(
  { finishedAt }: BackupStatus,
  { ms: maxAgeMs, nowMs }: { ms: number; nowMs: number },
): boolean {
  const ageMs = finishedAt === null ? Number.POSITIVE_INFINITY : nowMs - Date.parse(finishedAt);
  return ageMs > maxAgeMs || ageMs < -clockDoubtMs;
}

function notCurrent({ io }: Session, typed: string, found: BackupStatus, maxAge = ''): DocsError {
  const { failed, problems, startedAt } = found;
  const words: Record<BackupStatus['problems'][number], string> = {
    older: `older than ${maxAge}: ${finishWords(found)}`,
    unfinished: `unfinished: the run of ${startedAt} was cut off`,
    partial: `partial: ${counted(failed, 'thing')} could not be read`,
    changed: 'a manifest was changed since the last run',
  };
  const lines = problems.map((problem) => safeText(words[problem]));
  const folder = shellWord(typed, io.platform);
  return new DocsError('findings', 'backup_not_current', lines.join('; '), {
    details: { problems },
    hint: problems.includes('changed') ? `docs backup verify ${folder}` : `docs backup run --out ${folder}`,
  });
}

function finishWords({ ageSeconds, finishedAt }: BackupStatus): string {
  if (finishedAt === null || ageSeconds === null) return 'no run has finished';
  if (ageSeconds * 1000 < -clockDoubtMs)
    return `the last run finished at ${finishedAt}, in the future by the clock of this machine`;
  const days = Math.round(ageSeconds / 86_400);
  const age = days < 3 ? ageText(Math.max(0, ageSeconds) * 1000) : counted(days, 'day');
  return `the last run finished ${age} ago`;
}

function spaceWords({ id, title, state, olderFacts, changed }: BackupStatus['spaces'][number]): string {
  const older = Object.entries(olderFacts).map(([fact, time]) => `${fact} as of ${time}`);
  const facts = [...(state === 'whole' ? [] : [state]), ...(changed ? ['manifest changed'] : []), ...older];
  return safeText(redactText(`${title} (${id}): ${facts.join(', ')}`));
}

/** What a backup says of itself, without the platform, and without reading pages and files. */

/** @param text the manifest, as it was read */
async function statusOf(
  { folder, manifest, text: read }: { folder: Folder; manifest: Manifest; text: string },
  nowMs: number,
): Promise<BackupStatus> {
  const running = workersIn(folder.root).get(lockName) ?? null;
  const signed = await signedBy(folder, read);
  const changed = running === null ? await changedSpaces(folder, manifest) : [];
  const { state, organization, platform, startedAt, counts, failed, accessReadAt = null } = manifest;
  const finished = manifest.state === 'unfinished' ? manifest.lastFinished : manifest;
  const finishedAt = finished?.finishedAt ?? null;
  const age = finishedAt === null ? Number.NaN : Math.floor((nowMs - Date.parse(finishedAt)) / 1000);
  const notWhole = manifest.spaces.filter((space) => space.state !== 'whole');
  const older = olderSpaces(manifest);
  const noted = new Set<SpaceEntry['id']>([...notWhole, ...older, ...changed].map(({ id }) => id));
  const problems: BackupStatus['problems'] = [];
  if (state === 'unfinished' && running === null) problems.push('unfinished');
  if (finished?.state === 'partial') problems.push('partial');
  if (signed === 'changed' || changed.length > 0) problems.push('changed');
  return {
    ...organization,
    state,
    folder: folder.root,
    platform,
    manifest: (await folder.digest(manifestName))?.sha256 ?? '',
    runs: manifest.runs + 1,
    startedAt,
    finishedAt,
    ageSeconds: Number.isNaN(age) ? null : age,
    running,
    signedBy: signed === undefined || signed === 'changed' ? null : fingerprintOf(signed.by),
    counts: { ...counts },
    failed: failed.length,
    notWhole: notWhole.length,
    older: older.length,
    accessReadAt,
    olderFacts: { ...manifest.older },
    spaces: manifest.spaces
      .filter(({ id }) => noted.has(id))
      .map(({ id, title, state: its, older: olderFacts = {} }) => {
        return {
          id,
          title,
          state: its,
          olderFacts: { ...olderFacts },
          changed: changed.some((one) => one.id === id),
        };
      }),
    problems,
  };
}

/** Spaces whose manifests are not those that the last run left. */
async function changedSpaces(folder: Folder, manifest: Manifest): Promise<SpaceEntry[]> {
  const changed: SpaceEntry[] = [];
  for (const space of manifest.spaces) {
    const path = `${spaceFolder(space.folder)}/${manifestName}`;
    const isMissing = space.sha256 !== undefined && (await folder.stat(path)) === undefined;
    if (isMissing || (await trustInSpace(folder, space, manifest)) === 'changed') changed.push(space);
  }
  return changed;
}
