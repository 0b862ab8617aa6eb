import { resolve } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { failureToPrint, warnReader } from '../../cli/run/output.js';
import { checked } from '../../output/check-mark.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { safeText } from '../../output/safe-text.js';
import { namespaces } from '../../signing/namespaces.js';
import { openSigner, type Signer } from '../../signing/signer.js';
import { notAllRead } from '../../snapshot/unread.js';
import type { Distrusted } from '../../workflows/backup/distrusted.js';
import type { RunOutcome } from '../../workflows/backup/execute.js';
import { type FailedEntry, failedLines } from '../../workflows/backup/folder/manifest.js';
import { resultOf, sentenceOf } from '../../workflows/backup/report.js';
import { parseKeep } from '../../workflows/backup/versions/keep.js';
import type { KeepAsked } from '../../workflows/backup/versions/versions.js';

/** What the commands that write a backup have in common: their flags, and what they tell. */

/** What `--keep` asks for. @throws DocsError usage `invalid_keep` */
export function keepOf({ options }: ManualInput): KeepAsked {
  const typed = options.keep as string | undefined;
  return typed === undefined ? undefined : (parseKeep(typed) ?? 'none');
}

/** The key of `--sign`, which is tried before anything is read. @throws DocsError as `openSigner` */
export async function signerOf({ io }: Session, { options }: ManualInput): Promise<Signer | undefined> {
  const key = options.sign as string | undefined;
  if (key === undefined) return undefined;
  const { env, cwd, signal } = io;
  return openSigner(resolve(cwd, key), namespaces.backup, { env, cwd, signal });
}

/** The folder of a run as it is named to a person, and the command that runs it again. */
export interface Place {
  folder: string;
  again: string;
}

/** The result; what could not be read, one a line; then the failure, if there is one. */
export async function tell(
  session: Session,
  outcome: RunOutcome,
  { place, view, signer }: { place: Place; view: View; signer: Signer | undefined },
): Promise<void> {
  const { io, printer } = session;
  const result = resultOf(outcome, resolve(io.cwd, place.folder), signer?.fingerprint);
  const isGood = outcome.distrusted.length === 0 && outcome.manifest.failed.length === 0;
  const said = sentenceOf(outcome, place.folder);
  const sentence = isGood ? checked(io, said) : said;
  const unprinted = await failureToPrint(() => printer.done(result, sentence, view));
  if (outcome.anew) printer.note(`${notSigned}: nothing of it was reused, everything was read again.`);
  if (unprinted !== undefined && isGood) throw unprinted;
  if (unprinted !== undefined) printer.warn(unprinted.message);
  if (!isGood) failRun(session, outcome, place);
}

/** What was changed in the backup, or could not be read, as the failure of a run. */
function failRun(
  session: Session,
  { distrusted, manifest: { failed, state } }: RunOutcome,
  { folder, again: hint }: Place,
): never {
  const unread = `${counted(failed.length, 'thing')} could not be read`;
  const now = state === 'whole' ? 'the backup is whole again' : unread;
  if (distrusted.length > 0)
    failChanged(session, { distrusted, failed }, folder, `nothing of it was reused, and ${now}`);
  warnReader(session, notRead(failed));
  throw notAllRead(`${unread}; the rest is backed up`, { details: { failed }, retryable: true, hint });
}

export const notSigned = 'The last run was not signed by this key';

export function notRead(failed: readonly FailedEntry[]): string[] {
  return failedLines(failed).map((words) => `Not read: ${safeText(words)}`);
}

/** What was changed in the backup since the last run, and could not be read. */
interface Changed {
  distrusted: readonly (Omit<Distrusted, 'path'> & Partial<Distrusted>)[];
  failed: readonly FailedEntry[];
}

/** Exit 17, whatever could not be read. @param so what follows for the backup */
export function failChanged(
  session: Session,
  { distrusted, failed }: Changed,
  out: string,
  so: string,
): never {
  const lines = distrusted.map(({ kind, id, title, path }) => {
    const what = kind === 'manifest' ? 'the signed manifest' : `space ${title ?? id} (${id})`;
    return safeText(`Changed since the last run: ${what}${path === undefined ? '' : `; see ${path}`}`);
  });
  warnReader(session, [...lines, ...notRead(failed)]);
  const what = distrusted.some(({ kind }) => kind === 'manifest')
    ? 'the signed manifest was'
    : `${counted(distrusted.length, 'space')} ${distrusted.length === 1 ? 'was' : 'were'}`;
  const message = `${what} changed in the backup since the last run; ${so}`;
  throw new DocsError('findings', 'backup_changed', message, {
    details: { distrusted, failed },
    hint: `docs backup verify ${shellWord(out, session.io.platform)}`,
  });
}
