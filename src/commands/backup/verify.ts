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
import { warnReader } from '../../cli/run/output.js';
import { platformOf } from '../../cli/run/session-job.js';
import type { Page, View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { notAllRead } from '../../snapshot/unread.js';

/** `docs backup verify`: lists what is wrong with a backup, or changed since. */

/** @throws DocsError findings (exit 17), partial (exit 3); as `openBackup` */
export async function verify(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const typed = String(input.args.folder);
  const { folder, manifest, text } = await openBackup(resolve(io.cwd, typed));
  const signers = await signersOf(session, input);
  const compared = input.options.offline === true ? undefined : await platformFor(session, input, manifest);
  const looked: Looked = { spaces: 0, files: 0, bytes: 0 };
  const found: StateCounts = new Map();
  const unread: FailedEntry[] = [];
  let [done, onDone] = [0, (_done: number): void => {}];
  const onSpace = (): void => onDone(++done);
  const total = manifest.spaces.length * (compared?.client === undefined ? 1 : 2);
  const watch = (count: (done: number, failed: number) => void): void => {
    onDone = (now) => count(now, found.get('not-read') ?? 0);
  };
  const findings = async function* (): AsyncGenerator<VerifyFinding> {
    yield* verifySignature(folder, text, signers);
    yield* verifyFolder(folder, manifest, looked, onSpace);
    yield* verifyVersions(folder, manifest, signers);
    if (compared?.client === undefined) return;
    const { client, concurrency } = compared;
    const organizationId = manifest.organization.id;
    const reading = { client, organizationId, concurrency, signal: io.signal, folder };
    const access = input.options.access !== false;
    yield* verifyPlatform({ reading, manifest, access, unread, onSpace });
  };
  const outcome: Outcome = {
    looked,
    found,
    unread,
    needsFull: false,
    needsKey: signers.allowed !== undefined,
    compared: compared?.client !== undefined,
  };
  await printer.list(pagesOf(findings(), outcome), view, { work: { text: 'Checking', total, watch } });
  if (!hasAccess(manifest)) printer.note('Permissions in spaces are not in this backup.');
  if (signers.by !== undefined) printer.note(`Signed by ${signers.by}.`);
  if (compared?.why !== undefined) printer.note(`Not compared with the platform: ${compared.why}.`);
  tell(session, typed, outcome);
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

async function* pagesOf(findings: AsyncIterable<VerifyFinding>, outcome: Outcome): AsyncGenerator<Page> {
  const { found } = outcome;
  for await (const finding of findings) {
    found.set(finding.state, (found.get(finding.state) ?? 0) + 1);
    outcome.needsFull ||= isDamage(finding) || hasEditedReply(finding);
    yield { items: [finding], next: 'more' };
  }
}

interface Outcome {
  looked: Looked;
  found: StateCounts;
  unread: readonly FailedEntry[];
  /** Whether only a run with --full would notice. */
  needsFull: boolean;
  /** Whether the next run is to sign. */
  needsKey: boolean;
  compared: boolean;
}

/** What could not be read, one a line; then the sum, as a failure if something was found. */
function tell(session: Session, typed: string, outcome: Outcome): void {
  const { printer, io } = session;
  const { looked, found, unread } = outcome;
  const { spaces, files, bytes } = looked;
  const notCompared = failedLines(unread).map((words) => `Not compared: ${words}`);
  warnReader(session, notCompared);
  const read = `${counted(spaces, 'space')}, ${counted(files, 'file')}, ${counted(bytes, 'byte')} read`;
  const details = { ...looked, found: Object.fromEntries(found), unread };
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  const flags = `${outcome.needsFull ? ' --full' : ''}${outcome.needsKey ? ' --sign <key>' : ''}`;
  const hint = `docs backup run --out ${shellWord(typed, io.platform)}${flags}`;
  if (total > 0)
    throw new DocsError('findings', 'backup_findings', `${wordsOf(found)}; ${read}`, { details, hint });
  if (unread.length > 0)
    throw notAllRead(`not all was compared with the platform; ${read}`, { details, retryable: true });
  const state = outcome.compared ? 'whole and up to date' : 'whole';
  printer.note(`The backup is ${state}: ${read}.`);
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
