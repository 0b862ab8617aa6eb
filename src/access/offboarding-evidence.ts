import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { localIoError, systemCode, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { makeFolders } from '../base/own-files.js';
import { redactStrings } from '../base/redaction.js';
import { defined, jsonIn } from '../base/values.js';
import { writeAskedFile, writeNewAskedFile } from '../files/asked-file.js';
import { resolveColumns } from '../output/columns.js';
import { csvFormat } from '../output/formats.js';
import { stringify } from '../output/json.js';
import { rehearsalFolder } from '../settings/paths.js';
import { inRehearsal } from '../settings/rehearsal.js';
import { type Action, type Leaver, type Offboarding, reportFormat } from './members.js';
import { nameOf } from './person.js';

/**
 * The evidence files, written before the first change, since what a member held cannot be read afterwards,
 * and completed after the last one. They are readable by their owner only, and overwrite no other file.
 */

export interface Evidence {
  /** Absolute paths. */
  files: { json: string; csv: string };
  report: Offboarding;
}

/**
 * Where evidence that is begun or completed stands: in a rehearsal nobody is offboarded, so it is kept with the
 * rehearsal alone.
 */
export function standingFiles(io: Io, { json, csv }: Evidence['files']): Evidence['files'] {
  const at = (path: string) => inRehearsal(io, 'evidence', path, basename(path));
  return { json: at(json), csv: at(csv) };
}

/** The folder of evidence that is begun now. */
export function standingFolder(io: Io, folder: string): string {
  const rehearsal = rehearsalFolder(io);
  return rehearsal === undefined ? folder : join(rehearsal, 'evidence');
}

/** @param folder absolute; made where it is missing @returns with the report that names the files @throws DocsError local-io */
export async function beginEvidence(io: Io, folder: string, report: Offboarding): Promise<Evidence> {
  await makeEvidenceFolder(folder);
  const stamp = new Date(io.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const csv = await writeNewAskedFile(io, folder, `offboarding-${stamp}Z.csv`, await csvOf(report));
  const name = `${basename(csv, '.csv')}.json`;
  const named = (json: string) => ({ ...report, files: { json, csv: basename(csv) } });
  try {
    const json = await writeNewAskedFile(io, folder, name, jsonOf(named(name)));
    return { files: { json, csv }, report: named(basename(json)) };
  } catch (cause) {
    await rm(csv, { force: true });
    throw cause;
  }
}

/**
 * Writes the JSON last, since it holds the state. The policies were asked when the evidence was begun, under the name of
 * the command; whoever applies its plan or resumes its job completes it.
 * @throws DocsError local-io
 */
export async function writeEvidence({ own }: Pick<Io, 'own'>, { files, report }: Evidence): Promise<void> {
  await writeAskedFile({ own }, files.csv, await csvOf(report));
  await writeAskedFile({ own }, files.json, jsonOf(report));
}

export async function dropEvidence({ json, csv }: Evidence['files']): Promise<void> {
  for (const path of [json, csv]) await rm(path, { force: true });
}

/** @param json its absolute path @param name as errors name it @throws DocsError usage `no_evidence` */
export function evidenceOf(text: string, json: string, name: string): Evidence {
  const report = jsonIn(text) as Offboarding | null | undefined;
  if (report?.format !== reportFormat || !Array.isArray(report.people))
    throw usageError('no_evidence', `${name} is not an offboarding evidence file in JSON`);
  const csv = report.files?.csv ?? `${basename(json, '.json')}.csv`;
  // It is replaced without asking; any other file stays.
  if (!csv.endsWith('.csv')) throw usageError('no_evidence', `${name} names a file that is not its CSV file`);
  return { files: { json, csv: join(dirname(json), basename(csv)) }, report };
}

function jsonOf({ people, files, ...head }: Offboarding): string {
  return `${stringify(redactStrings(defined({ ...head, people, files })), 2)}\n`;
}

async function csvOf(report: Offboarding): Promise<string> {
  const columns = resolveColumns({ columns: rowFields.map((path) => ({ path })) }, undefined);
  const format = await csvFormat(columns, false);
  return `${format.begin?.([], false) ?? ''}${format.items(redactStrings([...runRows(report), ...rowsOf(report)]))}`;
}

/** The folder of the evidence: it is checked before anything is read, and made before the first change. */

/**
 * Checks that files can be written to a folder, or that it can be made. Changes nothing.
 * @param folder absolute
 * @throws DocsError local-io: nothing was sent
 */
export async function checkEvidenceFolder(folder: string): Promise<void> {
  try {
    await checkWritable(folder);
  } catch (cause) {
    throw localIoError(cause, `cannot write the evidence to ${folder}`).with({ outcome: 'not-sent' });
  }
}

/** The folder itself, or where it is missing the nearest one above it. */
async function checkWritable(folder: string): Promise<void> {
  const found = await stat(folder).catch((cause: unknown) => {
    if (systemCode(cause) !== 'ENOENT' || dirname(folder) === folder) throw cause;
  });
  if (found === undefined) return checkWritable(dirname(folder));
  if (!found.isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Makes the folder where it is missing, for its owner alone. @throws DocsError local-io: nothing was sent */
export async function makeEvidenceFolder(folder: string): Promise<void> {
  try {
    makeFolders(folder, 0o700);
  } catch (cause) {
    throw localIoError(cause, `cannot make the folder ${folder} for the evidence`).with({
      outcome: 'not-sent',
    });
  }
}

/** An offboarding as rows, one fact each: for tables, and for the CSV of the evidence. */
export interface FactRow {
  /** undefined for facts about the run. */
  user?: Leaver['user'];
  part: 'run' | 'before' | 'not seen' | 'action' | 'after' | 'remains';
  what: string;
  id?: string;
  name?: string;
  value?: string;
  status?: string;
  at?: string;
  requestId?: string;
}

export const rowFields = [
  ...(['user.id', 'user.email', 'user.displayName', 'part', 'what', 'id'] as const),
  ...(['name', 'value', 'status', 'at', 'requestId'] as const),
];

/** The facts of all members, in chronological order. */
export function rowsOf({ people }: Pick<Offboarding, 'people'>): FactRow[] {
  return people.flatMap((leaver) => [
    ...heldRows(leaver),
    ...leaver.unseen.map(({ what, id, error }): FactRow => {
      return defined({
        user: leaver.user,
        part: 'not seen' as const,
        what,
        id,
        value: String(error.message ?? ''),
      });
    }),
    ...leaver.actions.map((action) => actionRow(leaver, action)),
    ...afterRows(leaver),
    ...leaver.warnings.map((value): FactRow => {
      return { user: leaver.user, part: 'remains', what: 'way back in', value };
    }),
  ]);
}

export function runRows(report: Offboarding): FactRow[] {
  const { by, organization, platform, version, job, state, startedAt, finishedAt } = report;
  const row = (what: string, more: Partial<FactRow>): FactRow => ({ part: 'run', what, ...more });
  const { user, account, profile, why } = by;
  const ran = user && { id: user.id, name: user.displayName };
  return [
    row('ran by', { ...ran, value: user === undefined ? `not known: ${why}` : nameOf(user) }),
    ...(account === undefined ? [] : [row('account', { value: account })]),
    row('profile', { value: profile }),
    row('organization', { id: organization.id, name: organization.title }),
    row('platform', { value: platform }),
    row('docs', { value: version }),
    ...(job === undefined ? [] : [row('job', { id: job })]),
    row('state', { status: state }),
    row('started', { at: startedAt }),
    ...(finishedAt === undefined ? [] : [row('finished', { at: finishedAt })]),
  ];
}

function heldRows({ user, before }: Leaver): FactRow[] {
  const row = (what: string, more: Partial<FactRow>): FactRow => ({ user, part: 'before', what, ...more });
  const { teams, spaces, changeRequests } = before;
  return [
    row('role', { value: before.role ?? 'guest' }),
    row('SSO', { value: before.sso ? 'yes' : 'no' }),
    ...(before.lastSeenAt === undefined ? [] : [row('last seen', { value: before.lastSeenAt })]),
    ...teams.map(({ id, title, role, onlyOwner }) =>
      row('team', { id, name: title, value: onlyOwner ? 'only owner' : role }),
    ),
    ...spaces.map(({ id, title, role }) => row('space', { id, name: title, value: role })),
    ...changeRequests.map(({ id, number, subject, status, space }) =>
      row('change request', { id, name: `${space.title} #${number}`, value: subject, status }),
    ),
  ];
}

function actionRow({ user }: Leaver, action: Action): FactRow {
  const { does: what, team, to, status, at, requestId, error, method, path, body } = action;
  const request = [method, path, ...(body === undefined ? [] : [stringify(body)])];
  const said = error?.message ?? (to && `to ${nameOf(to)}`);
  const told = status === 'planned' ? request.join(' ') : said;
  const value = told === undefined ? undefined : String(told);
  const about = { user, part: 'action' as const, what, id: team?.id, name: team?.title };
  return defined({ ...about, value, status, at, requestId });
}

function afterRows({ user, after }: Leaver): FactRow[] {
  if (after === undefined) return [];
  const { at, member, teams } = after;
  const isIn = (still: boolean | null) => (still === null ? 'not read' : still ? 'still in' : 'out');
  return [
    { user, part: 'after', what: 'membership', value: isIn(member), at },
    ...teams.map(({ id, title, member: still, owners }): FactRow => {
      const owned = owners.length === 0 ? '' : `, owned by ${owners.map(nameOf).join(', ')}`;
      return { user, part: 'after', what: 'team', id, name: title, value: `${isIn(still)}${owned}`, at };
    }),
  ];
}
