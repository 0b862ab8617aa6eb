import { resolve } from 'node:path';
import { hasAccess } from '../../backup/ages.js';
import { type FailedEntry, failedLines, type Manifest, openBackup } from '../../backup/manifest.js';
import type { BackupStatus, VerifyFinding } from '../../backup/shapes.js';
import { statusOf } from '../../backup/status.js';
import { type ReadCounts, readAllowedSigners, type Signers } from '../../backup/verify.js';
import { verifyBackup } from '../../backup/verify-platform.js';
import { DocsError, usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { isStructured, warnReader } from '../../cli/run/output.js';
import type { ManualInput, Page, Report, ReportEnding, Session } from '../../cli/run/run-report.js';
import { platformOf } from '../../cli/run/session-job.js';
import { counted, safeLine, safeText, wordWrapped } from '../../output/text.js';
import { ageText, clockDoubtMs } from '../../plans/check.js';
import { parseSpan } from '../../settings/duration.js';
import { notAllRead } from '../../snapshot/unread.js';

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
  const text = options.olderThan;
  if (typeof text !== 'string') return undefined;
  const ms = parseSpan(text);
  if (ms !== undefined) return { text, ms };
  const message = `--older-than: invalid duration ${JSON.stringify(text)}; expected one such as 26h or 7d`;
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

/** `docs backup verify`: lists what is wrong with a backup, or changed since. */

interface Verifying {
  opened: Awaited<ReturnType<typeof openBackup>>;
  signers: Signers;
  /** Undefined with `--offline`. */
  compared: Compared | undefined;
  looked: ReadCounts;
  found: StateCounts;
  unread: FailedEntry[];
  /** Whether only a run with --again would notice. */
  needsFull: boolean;
}

/** Findings (exit 17), partial (exit 3); as `openBackup`. */
export const verifyReport: Report<Verifying> = {
  async read({ session, input }) {
    const opened = await openBackup(resolve(session.io.cwd, String(input.args.folder)));
    const signers = await signersOf(session, input);
    const isOffline = input.options.offline === true;
    const compared = isOffline ? undefined : await platformFor(session, input, opened.manifest);
    const looked: ReadCounts = { spaces: 0, files: 0, bytes: 0 };
    return { opened, signers, compared, looked, found: new Map(), unread: [], needsFull: false };
  },
  rows(verifying, { session, input }) {
    const { opened, compared, found, signers, looked, unread } = verifying;
    let [done, onDone] = [0, (_done: number): void => {}];
    const onSpace = (): void => onDone(++done);
    const total = opened.manifest.spaces.length * (compared?.client === undefined ? 1 : 2);
    const watch = (count: (done: number, failed: number) => void): void => {
      onDone = (now) => count(now, found.get('not-read') ?? 0);
    };
    const { client, concurrency = 1 } = compared ?? {};
    const findings = verifyBackup(opened, {
      ...{ signers, looked, onSpace },
      platform: client && {
        ...{ client, concurrency, unread, signal: session.io.signal },
        access: input.options.access !== false,
      },
    });
    return { items: pagesOf(findings, verifying), work: { text: 'Checking', total, watch } };
  },
  notes: ({ opened, signers, compared }) => [
    ...(hasAccess(opened.manifest) ? [] : ['Permissions in spaces are not in this backup.']),
    ...(signers.by === undefined ? [] : [`Signed by ${signers.by}.`]),
    ...(compared?.why === undefined ? [] : [`Not compared with the platform: ${compared.why}.`]),
  ],
  end: (verifying, { session, input }) =>
    endingOf(verifying, shellWord(String(input.args.folder), session.io.platform)),
};

/** Who may have signed. @throws DocsError as `readAllowedSigners` */
async function signersOf({ io }: Session, { options }: ManualInput): Promise<Signers> {
  const path = options.allowedSigners as string | undefined;
  const allowed = path === undefined ? undefined : await readAllowedSigners(resolve(io.cwd, path));
  return { allowed, nowMs: io.now() };
}

type StateCounts = Map<VerifyFinding['state'], number>;

/** What a backup is compared with; without a client, why not. */
interface Compared {
  client?: Awaited<ReturnType<Session['client']>>;
  why?: string;
  concurrency: number;
}

async function platformFor(session: Session, input: ManualInput, manifest: Manifest): Promise<Compared> {
  const concurrency = concurrencyOf(input);
  const client = await session
    .client({ connections: concurrency, timeoutPerRequest: true })
    .catch((cause: unknown) => {
      if (cause instanceof DocsError && cause.code === 'signed_out') return undefined;
      throw cause;
    });
  if (client === undefined) return { concurrency, why: 'you are not signed in' };
  const platform = platformOf(session);
  if (platform === manifest.platform) return { concurrency, client };
  return { concurrency, why: `the backup is of ${manifest.platform}, not ${platform}` };
}

async function* pagesOf(findings: AsyncIterable<VerifyFinding>, verifying: Verifying): AsyncGenerator<Page> {
  const { found } = verifying;
  for await (const finding of findings) {
    found.set(finding.state, (found.get(finding.state) ?? 0) + 1);
    verifying.needsFull ||= isDamage(finding) || hasEditedReply(finding);
    yield { items: [finding], next: 'more' };
  }
}

/** @param folder as a word of a command line */
function endingOf(
  { looked, found, unread, needsFull, signers, compared }: Verifying,
  folder: string,
): ReportEnding {
  const { spaces, files, bytes } = looked;
  const warnings = failedLines(unread).map((words) => `Not compared: ${words}`);
  const read = `${counted(spaces, 'space')}, ${counted(files, 'file')}, ${counted(bytes, 'byte')} read`;
  const details = { ...looked, found: Object.fromEntries(found), unread };
  // Where a signature is required, the next run is to sign.
  const flags = `${needsFull ? ' --again' : ''}${signers.allowed === undefined ? '' : ' --sign <key>'}`;
  const hint = `docs backup run --out ${folder}${flags}`;
  if (found.size > 0) {
    const message = `${wordsOf(found)}; ${read}`;
    return { warnings, failure: new DocsError('findings', 'backup_findings', message, { details, hint }) };
  }
  if (unread.length > 0) {
    const message = `not all was compared with the platform; ${read}`;
    return { warnings, failure: notAllRead(message, { details, retryable: true }) };
  }
  const state = compared?.client === undefined ? 'whole' : 'whole and up to date';
  return { note: `The backup is ${state}: ${read}.` };
}

/** What a run with --again repairs; what an earlier run had is not read again. */
function isDamage({ state, kind }: VerifyFinding): boolean {
  return kind !== 'version' && ['changed', 'unsafe', 'miscounted', 'bad-manifest'].includes(state);
}

/** The next run may take an edited reply from the backup: no list tells of it (staleness.ts). */
function hasEditedReply({ fields = [] }: VerifyFinding): boolean {
  return fields.some(({ field }) => /(?:^|\.)replies\.[^.]+\./.test(field));
}

/** `2 changed, 1 extra`. */
function wordsOf(found: StateCounts): string {
  return [...found].map(([state, count]) => `${count} ${state.replaceAll('-', ' ')}`).join(', ');
}
