import { resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import { hasAccess } from '../../backup/ages.js';
import { type FailedEntry, failedLines, type Manifest, openBackup } from '../../backup/manifest.js';
import type { VerifyFinding } from '../../backup/shapes.js';
import {
  type Looked,
  readAllowedSigners,
  type Signers,
  verifyFolder,
  verifySignature,
} from '../../backup/verify.js';
import { verifyPlatform } from '../../backup/verify-platform.js';
import { verifyVersions } from '../../backup/verify-versions.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import type { Report, ReportEnding } from '../../cli/run/run-report.js';
import { platformOf } from '../../cli/run/session-job.js';
import type { Page } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { notAllRead } from '../../snapshot/unread.js';

/** `docs backup verify`: lists what is wrong with a backup, or changed since. */

interface Verifying {
  opened: Awaited<ReturnType<typeof openBackup>>;
  signers: Signers;
  /** Undefined with `--offline`. */
  compared: Compared | undefined;
  looked: Looked;
  found: StateCounts;
  unread: FailedEntry[];
  /** Whether only a run with --full would notice. */
  needsFull: boolean;
}

/** Findings (exit 17), partial (exit 3); as `openBackup`. */
export const verifyReport: Report<Verifying> = {
  async read({ session, input }) {
    const opened = await openBackup(resolve(session.io.cwd, String(input.args.folder)));
    const signers = await signersOf(session, input);
    const isOffline = input.options.offline === true;
    const compared = isOffline ? undefined : await platformFor(session, input, opened.manifest);
    const looked: Looked = { spaces: 0, files: 0, bytes: 0 };
    return { opened, signers, compared, looked, found: new Map(), unread: [], needsFull: false };
  },
  rows(verifying, { session, input }) {
    const { opened, compared, found } = verifying;
    let [done, onDone] = [0, (_done: number): void => {}];
    const onSpace = (): void => onDone(++done);
    const total = opened.manifest.spaces.length * (compared?.client === undefined ? 1 : 2);
    const watch = (count: (done: number, failed: number) => void): void => {
      onDone = (now) => count(now, found.get('not-read') ?? 0);
    };
    const findings = findingsOf(verifying, session, { access: input.options.access !== false, onSpace });
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

async function* findingsOf(
  { opened: { folder, manifest, text }, signers, compared, looked, unread }: Verifying,
  { io }: Session,
  { access, onSpace }: { access: boolean; onSpace(): void },
): AsyncGenerator<VerifyFinding> {
  yield* verifySignature(folder, text, signers);
  yield* verifyFolder(folder, manifest, looked, onSpace);
  yield* verifyVersions(folder, manifest, signers);
  if (compared?.client === undefined) return;
  const { client, concurrency } = compared;
  const organizationId = manifest.organization.id;
  const reading = { client, organizationId, concurrency, signal: io.signal, folder };
  yield* verifyPlatform({ reading, manifest, access, unread, onSpace });
}

/** Who may have signed. @throws DocsError as `readAllowedSigners` */
async function signersOf({ io }: Session, { options }: ManualInput): Promise<Signers> {
  const path = options.allowedSigners as string | undefined;
  const allowed = path === undefined ? undefined : await readAllowedSigners(resolve(io.cwd, path));
  return { allowed, nowMs: io.now() };
}

type StateCounts = Map<VerifyFinding['state'], number>;

/** What a backup is compared with; without a client, why not. */
interface Compared {
  client?: Client;
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
  const flags = `${needsFull ? ' --full' : ''}${signers.allowed === undefined ? '' : ' --sign <key>'}`;
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

/** What a run with --full repairs; what an earlier run had is not read again. */
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
