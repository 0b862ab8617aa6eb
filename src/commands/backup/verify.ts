import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { DocsError } from '../../errors.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { shellWord } from '../../settings/shell-word.js';
import type { Manifest } from '../../workflows/backup/folder/manifest.js';
import { openBackup } from '../../workflows/backup/folder/open-folder.js';
import type { VerifyFinding } from '../../workflows/backup/report.js';
import { readAllowedSigners } from '../../workflows/backup/signature/allowed-signers.js';
import { type Looked, verifyFolder } from '../../workflows/backup/verify/folder.js';
import { verifyPlatform } from '../../workflows/backup/verify/platform.js';
import { type Signers, verifySignature } from '../../workflows/backup/verify/signature.js';
import { type Unread, unreadFacts, unreadWords } from '../../workflows/reading/reading.js';
import { platformOf } from './platform.js';

/** `docs backup verify`: lists what is wrong with a backup, or changed since. */

/** @throws DocsError findings (exit 17), partial (exit 3); as `openBackup` */
export async function verify(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const typed = String(input.args.folder);
  const { folder, manifest, text } = await openBackup(resolve(io.cwd, typed));
  const signers = await signersOf(session, input);
  const looked: Looked = { spaces: 0, files: 0, bytes: 0 };
  const found = new Map<VerifyFinding['state'], number>();
  const unread: Unread[] = [];
  let onSpace = (_done: number): void => {};
  const total = manifest.spaces.length;
  const watch = (count: (done: number, failed: number) => void): void => {
    onSpace = (done) => count(done, found.get('not-read') ?? 0);
  };
  const findings = async function* (): AsyncGenerator<VerifyFinding> {
    yield* verifySignature(folder, text, signers);
    yield* verifyFolder(folder, manifest, looked, (done) => onSpace(done));
    if (input.options.offline !== true) yield* onPlatform(session, input, manifest, unread);
  };
  await printer.list(pagesOf(findings(), found), view, { work: { text: 'Checking', total, watch } });
  if (signers.by !== undefined) printer.note(`Signed by ${signers.by}.`);
  tell(session, typed, { looked, found, unread, signers });
}

/** Who may have signed. @throws DocsError as `readAllowedSigners` */
async function signersOf({ io }: Session, { options }: ManualInput): Promise<Signers> {
  const path = options.allowedSigners as string | undefined;
  const allowed = path === undefined ? undefined : await readAllowedSigners(resolve(io.cwd, path));
  return { allowed, nowMs: io.now() };
}

/** Compares nothing without a sign-in, and says so. */
async function* onPlatform(
  session: Session,
  input: ManualInput,
  manifest: Manifest,
  unread: Unread[],
): AsyncGenerator<VerifyFinding> {
  const { printer, io } = session;
  const concurrency = concurrencyOf(input);
  const client = await session
    .client({ connections: concurrency, timeoutPerRequest: true })
    .catch((cause: unknown) => {
      if (cause instanceof DocsError && cause.code === 'signed_out') return undefined;
      throw cause;
    });
  const platform = platformOf(session);
  if (client === undefined || platform !== manifest.platform) {
    const why =
      client === undefined
        ? 'you are not signed in'
        : `the backup is of ${manifest.platform}, not ${platform}`;
    return printer.note(`Not compared with the platform: ${why}.`);
  }
  const organizationId = manifest.organization.id;
  const reading = { client, organizationId, concurrency, signal: io.signal };
  yield* verifyPlatform(reading, manifest, unread);
}

async function* pagesOf(
  findings: AsyncIterable<VerifyFinding>,
  found: Map<VerifyFinding['state'], number>,
): AsyncGenerator<Page> {
  for await (const finding of findings) {
    found.set(finding.state, (found.get(finding.state) ?? 0) + 1);
    yield { items: [finding], next: 'more' };
  }
}

interface Outcome {
  looked: Looked;
  found: ReadonlyMap<VerifyFinding['state'], number>;
  unread: readonly Unread[];
  signers: Signers;
}

/** What could not be read, one a line; then the sum, as a failure if something was found. */
function tell(session: Session, typed: string, { looked, found, unread, signers }: Outcome): void {
  const { printer, io } = session;
  const { spaces, files, bytes } = looked;
  const notCompared = unread.map((one) => `Not compared: ${unreadWords(one)}`);
  warnReader(session, notCompared);
  const read = `${counted(spaces, 'space')}, ${counted(files, 'file')}, ${counted(bytes, 'byte')} read`;
  const details = { ...looked, found: Object.fromEntries(found), unread: unread.map(unreadFacts) };
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  const flags = `${isDamaged(found) ? ' --full' : ''}${signers.allowed === undefined ? '' : ' --sign <key>'}`;
  const hint = `docs backup run --out ${shellWord(typed, io.platform)}${flags}`;
  if (total > 0)
    throw new DocsError('findings', 'backup_findings', `${wordsOf(found)}; ${read}`, { details, hint });
  if (unread.length > 0)
    throw new DocsError(
      'partial',
      'not_all_read',
      `failed to compare some lists with the platform; ${read}`,
      {
        details,
        retryable: true,
      },
    );
  printer.note(`The backup is whole: ${read}.`);
}

/** Whether only a run with --full would notice. */
function isDamaged(found: Outcome['found']): boolean {
  const damage = ['changed', 'unsafe', 'miscounted', 'bad-manifest'] as const;
  return damage.some((state) => found.has(state));
}

/** `2 changed, 1 extra`. */
function wordsOf(found: Outcome['found']): string {
  return [...found].map(([state, count]) => `${count} ${state.replaceAll('-', ' ')}`).join(', ');
}
