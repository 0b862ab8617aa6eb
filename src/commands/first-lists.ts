import { readdirSync } from 'node:fs';
import { requestsAtOnce } from '../api/client.js';
import { systemCode } from '../base/errors.js';
import type { ManualInput } from '../cli/declare/command.js';
import { recordMade } from '../cli/declare/read-record.js';
import type { Globals, Session } from '../cli/declare/session.js';
import { folderOf, readOnlyClient } from '../cli/run/organization-folder.js';
import { originOf } from '../cli/run/origin.js';
import { namedInText } from '../organization/files/named-in-text.js';
import { type ReadingOutline, sendAhead } from '../organization/live/ahead.js';
import { lockHead, readLock } from '../plans/lock.js';
import { sendFirst } from '../snapshot/ahead.js';
import { nextPiece } from '../snapshot/gate.js';

/** Flags that may still be refused, or that ask for more than the comparison. */
const further = [
  'output',
  'fields',
  'jq',
  'csvRaw',
  'byTitle',
  'dryRun',
] as const satisfies (keyof Globals)[];

/** Flags that say what is compared. */
const compared = ['dir', 'org'];

/** Flags of a list with `--all-spaces` that do not change what is read first. */
const listed = ['allSpaces', 'org', 'limit'];

/** Sends the lists that `docs plan` begins with, before the declarations are loaded that know what follows. */
export async function sendFirstLists(session: Session, input: ManualInput): Promise<void> {
  if (!isPlain(session, input, compared)) return;
  const folder = folderOf(session.io, input);
  const head = lockHead(folder);
  const org = session.settings.org?.value ?? head?.org;
  if (head === undefined || head.org !== org || head.origin !== originOf(session)) return;
  const outline = await readingOutline();
  const named = namedInText(folder, outline.files);
  if (named === undefined || named.size === 0) return;
  if (await send(session, outline, org, named)) await loadInTurns(folder);
}

/** The same for `docs pull` into a folder that is not there or empty, which gets all there is. */
export async function sendAllLists(session: Session, input: ManualInput): Promise<void> {
  const org = session.settings.org?.value;
  if (!isPlain(session, input, compared) || org === undefined) return;
  if (!isNew(folderOf(session.io, input))) return;
  const outline = await readingOutline();
  const all = new Set(outline.first.flatMap(({ kinds }) => kinds));
  if (await send(session, outline, org, all)) await loadInTurns();
}

/** The lists that lead to all spaces, for a command that lists what is in them. */
export async function sendSpaceLists(session: Session, input: ManualInput): Promise<void> {
  const { org, pageSize } = session.settings;
  const isLimited = /^[1-9]\d*$/.test(String(input.options.limit ?? 1));
  if (!isPlain(session, input, listed) || !isLimited || org === undefined || pageSize !== undefined) return;
  const first = await recordMade('all-spaces', async () =>
    (await import('../snapshot/first-requests.js')).outlineSpaces(),
  );
  const client = await session
    .client({ connections: requestsAtOnce, timeoutPerRequest: true })
    .catch(() => undefined);
  if (client === undefined) return;
  sendFirst(client, first, org.value);
  await nextPiece();
  await import('../cli/run/whole-run.js');
  await nextPiece();
  await import('../api/organization-spaces.js');
  await nextPiece();
  await import('../snapshot/change-requests.js');
}

function isNew(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}

/** @returns whether it sent them: the regular reading reports what is wrong */
async function send(
  session: Session,
  outline: ReadingOutline,
  org: string,
  named: ReadonlySet<string>,
): Promise<boolean> {
  const client = await readOnlyClient(session).catch(() => undefined);
  if (client !== undefined) sendAhead(client, outline, org, named);
  return client !== undefined;
}

/** Loads what follows piece by piece, so that answers are taken and requests sent between. */
async function loadInTurns(folder?: string): Promise<void> {
  await nextPiece();
  await import('../api/organization-spaces.js');
  await nextPiece();
  await import('../model/operations.js');
  await nextPiece();
  await import('../organization/kinds/index.js');
  await nextPiece();
  try {
    if (folder !== undefined) readLock(folder); // It is remembered.
  } catch {
    // The command reports it.
  }
  await nextPiece();
  await import('../cli/run/whole-run.js');
  await nextPiece();
}

function readingOutline(): Promise<ReadingOutline> {
  return recordMade('plan', async () => {
    const { outlineReading } = await import('../organization/live/first-requests.js');
    return outlineReading();
  });
}

function isPlain(
  { gate, savePlan, settings, globals, signedOut }: Session,
  { options }: ManualInput,
  known: readonly string[],
): boolean {
  if ((gate ?? savePlan ?? settings.rehearsal ?? settings.fields ?? signedOut) !== undefined) return false;
  const isTyped = (name: (typeof further)[number]) => (globals[name] ?? false) !== false;
  const typed = Object.keys(options).filter((name) => options[name] !== undefined);
  return typed.every((name) => known.includes(name)) && globals.header !== false && !further.some(isTyped);
}
