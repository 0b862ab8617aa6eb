import { resolve } from 'node:path';
import { isJsonObject } from '../../api/transport/json-text.js';
import { hasAccess } from '../../backup/ages.js';
import { diffBackups, foldedForReading } from '../../backup/diff-backups.js';
import { type Manifest, openBackup } from '../../backup/manifest.js';
import { type BackupReader, openReader } from '../../backup/reader.js';
import { runsOf } from '../../backup/records.js';
import type { Difference, LoggedRun } from '../../backup/shapes.js';
import { showRun } from '../../backup/show-run.js';
import { DocsError } from '../../base/errors.js';
import type { Offers } from '../../cli/declare/takers.js';
import { outputFormat } from '../../cli/run/output.js';
import { failsOnChange, type Page, type Report, type Session } from '../../cli/run/run-report.js';
import type { Cell, ChangedItem, ChangesPart, Document, Need } from '../../document/document.js';
import { plainText } from '../../output/cells.js';
import { counted, grouped, utcText } from '../../output/text.js';

/** `docs backup show`: lists what a run changed. */

type ShownRun = Awaited<ReturnType<typeof showRun>> & { count: number; byHash: number };

/** As `openBackup`, `showRun`. */
export const showReport: Report<ShownRun> = {
  async read({ session: { io }, input: { args } }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    return { ...(await showRun(folder, read, String(args.run), io.now())), count: 0, byHash: 0 };
  },
  rows: (shown) => ({ items: changePages(shown) }),
  // The note below says it, with what was compared.
  rowView: ({ view: { empty: _, ...shown } }) => shown,
  notes({ run, before, count }) {
    const words = count === 0 ? 'no differences' : counted(count, 'difference');
    const from = before === undefined ? 'the first run' : `compared with run ${before.run}`;
    return [`Run ${run.run}, ${from}: ${words}.`];
  },
  end({ run, byHash }, { session: { printer } }) {
    if (byHash > 0)
      printer.warn(
        `${counted(byHash, 'difference')} by hash alone: the files of that run are lost or damaged.`,
      );
    if (run.state !== 'whole')
      printer.warn(`Run ${run.run} is ${run.state}: missing items are listed as removed, or not at all.`);
    return undefined;
  },
};

async function* changePages(shown: ShownRun): AsyncGenerator<Page> {
  for await (const change of shown.changes) {
    shown.count += 1;
    if (change.compared === 'hashes') shown.byHash += 1;
    yield { items: [change], next: 'more' };
  }
}

/** `docs backup log`: lists the runs of a backup. */

/** As `openBackup`. */
export const logReport: Report<LoggedRun[]> = {
  async read({ session: { io }, input: { args } }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    return runsOf(folder, read);
  },
  rows: (runs) => runs,
};

/** The runs of a backup that can be shown, newest first. */
export const keptRuns: Offers = {
  none: 'The backup has no run.',
  async list({ io }, { args }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    const runs = (await runsOf(folder, read)).filter(({ kept }) => kept);
    return runs.map(({ run, startedAt, state, spaces }) => ({
      value: String(run),
      name: `${run}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${counted(spaces, 'space')}`,
    }));
  },
};

/** `docs backup diff`: lists what changed from one backup to another. */

interface BackupsRead {
  /** As they were typed. */
  names: readonly [string, string];
  opened: readonly [BackupReader, BackupReader];
  count: number;
  /** For the page, and where differences are folded. */
  kept: Difference[];
  /** Permissions that are folded into a role. */
  followed: number;
}

/** Findings (exit 17) with `--exit-code` if something differs; as `openReader`. */
export const diffReport: Report<BackupsRead> = {
  async read({ session: { io, printer }, input: { args } }) {
    const names = [String(args.a), String(args.b)] as const;
    const open = (name: string) => openReader(resolve(io.cwd, name));
    const opened = await Promise.all([open(names[0]), open(names[1])]);
    for (const { root, manifest } of opened)
      if (manifest.state !== 'whole')
        printer.warn(`${root} is ${manifest.state}: missing items are listed as removed, or not at all.`);
    return { names, opened, count: 0, kept: [], followed: 0 };
  },
  async drawn(read) {
    for await (const difference of diffBackups(...read.opened)) read.kept.push(difference);
    read.count = read.kept.length;
    read.followed = foldedForReading(read.kept).followed;
    const { headline: sum, needs, parts } = pageOf(read);
    return { title: '', sum, ...(read.count > 0 ? { needs, parts } : { parts: [] }) };
  },
  rows: (read, { session, page }) => ({ items: pagesOf(read, isForReading(session), page) }),
  // The note at the end says it everywhere.
  rowView: ({ view: { empty: _, ...shown } }) => shown,
  notes({ opened }) {
    const without = opened.filter(({ manifest }) => !hasAccess(manifest)).map(({ root }) => root);
    if (without.length === 0) return [];
    return [`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`];
  },
  page: pageOf,
  end({ count, followed }, { input, form }) {
    const words = counted(count, 'difference');
    const follow = `${grouped(followed)} of them permissions that follow from a new role`;
    const whole = followed === 0 ? words : `${words}, ${follow}`;
    if (count > 0 && failsOnChange(input.options))
      return { failure: new DocsError('findings', 'backups_differ', whole) };
    // The last line of the drawing has the sum.
    if (form === 'text')
      return followed === 0
        ? undefined
        : { note: `${grouped(followed)} of these are permissions that follow from a new role.` };
    return { note: count === 0 ? 'No differences.' : `${whole}.` };
  },
};

function pageOf({ kept, names: [a, b], opened: [one, other] }: BackupsRead) {
  return diffPage(kept, [
    { name: a, manifest: one.manifest },
    { name: b, manifest: other.manifest },
  ]);
}

async function* pagesOf(read: BackupsRead, folds: boolean, isPaged: boolean): AsyncGenerator<Page> {
  for await (const difference of diffBackups(...read.opened)) {
    read.count += 1;
    if (isPaged || folds) read.kept.push(difference);
    if (!folds) yield { items: [difference], next: 'more' };
  }
  if (!folds) return;
  const { differences, followed } = foldedForReading(read.kept);
  read.followed = followed;
  yield { items: differences };
}

/** Formats for people; a person who names fields, or an order, gets a row for each difference. */
function isForReading(session: Session): boolean {
  const { settings, globals, sorts } = session;
  const isNamed = (settings.fields ?? globals.jq ?? sorts) !== undefined;
  return !isNamed && outputFormat(session) === 'table';
}

/** A backup as it is named in the report of a comparison. */
export interface ComparedBackup {
  /** Its folder, as typed. */
  name: string;
  manifest: Pick<Manifest, 'organization' | 'platform' | 'state' | 'startedAt' | 'finishedAt' | 'files'>;
}

/** What changed between two backups, as a page: each thing with its fields before and after. */
export function diffPage(
  differences: readonly Difference[],
  [a, b]: readonly [ComparedBackup, ComparedBackup],
): Document<ChangesPart> {
  const { organization, platform } = b.manifest;
  const folded = foldedForReading(differences);
  const missing = [a, b].flatMap(({ name, manifest: { state } }) =>
    state === 'whole' ? [] : [`${name} is ${state}: missing items are listed as removed, or not at all.`],
  );
  const without = [a, b].filter(({ manifest }) => !hasAccess(manifest)).map(({ name }) => name);
  if (without.length > 0)
    missing.push(`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`);
  const removed = differences.filter(({ change }) => change === 'removed');
  return {
    title: `Changes in ${organization.title}`,
    headline: headlineOf(organization.title, differences, removed.length),
    needs: removed
      .filter(({ kind }) => grave.has(kind))
      .map(
        (one): Need => ({
          severity: 'irreversible',
          text: `${one.kind} ${one.title ?? one.id} was removed`,
          command: `docs backup restore ${a.name} --dry-run`,
          part: differencesTitle,
        }),
      ),
    missing,
    facts: [
      ['Organization', `${organization.title} (${organization.id})`],
      ['Platform', platform],
      ['Earlier backup', backupWords(a)],
      ['Later backup', backupWords(b)],
    ],
    parts: [
      {
        ...{ kind: 'changes', title: differencesTitle, empty: 'No differences.', isTree: true },
        items: gravestFirst(folded.differences).map((one) => itemOf(one, folded.also)),
      },
    ],
  };
}

const differencesTitle = 'Differences';

/** Kinds whose removal takes others along. */
const grave: ReadonlySet<string> = new Set([
  'space',
  'collection',
  'site',
  'team',
  'member',
  'openapi',
  'saml',
]);

/** `888 differences in Acme Docs: 2 added, 885 changed, 1 removed`. */
function headlineOf(title: string, differences: readonly Difference[], removed: number): string {
  if (differences.length === 0) return `No differences in ${title}`;
  const of = (change: Difference['change']) => differences.filter((one) => one.change === change).length;
  const counts = [
    ...(removed > 0 ? [`${grouped(removed)} removed`] : []),
    ...(['added', 'changed', 'moved'] as const).flatMap((change) => {
      const count = of(change);
      return count === 0 ? [] : [`${grouped(count)} ${change}`];
    }),
  ];
  return `${counted(differences.length, 'difference')} in ${title}: ${counts.join(', ')}`;
}

/** Removals first. */
function gravestFirst(differences: readonly Difference[]): Difference[] {
  const rank = ({ change }: Difference) => (change === 'removed' ? 0 : 1);
  return [...differences].sort((one, other) => rank(one) - rank(other));
}

function backupWords({ name, manifest: { startedAt, finishedAt = startedAt } }: ComparedBackup): string {
  return `${name}, ${utcText(finishedAt)}`;
}

/** Pages of reports name what is done; a list names what was. */
const actions: Readonly<Record<Difference['change'], string>> = {
  added: 'add',
  removed: 'remove',
  changed: 'change',
  moved: 'move',
};

function itemOf(
  { change, kind, id, title, space, path, from, fields = [] }: Difference,
  also: ReadonlyMap<string, string>,
): ChangedItem {
  const where = kind === 'member' ? also.get(id) : undefined;
  const place = path === undefined ? [] : [`File: ${path}`];
  return {
    action: actions[change],
    as: kind,
    severity: change === 'removed' && grave.has(kind) ? ('irreversible' as const) : undefined,
    title: title ?? id,
    place: space,
    id,
    notes: [
      ...(space === undefined ? [] : [`Space: ${space}`]),
      ...(from === undefined ? place : []),
      ...(where === undefined ? [] : [`Its permission: ${where}`]),
    ],
    fields: [
      ...(from === undefined ? [] : [{ name: 'path', before: from, after: path ?? null }]),
      ...fields.map(({ field, before, after }) => ({
        name: field,
        before: cellOf(before),
        after: cellOf(after),
      })),
    ],
  };
}

/** A value: texts line by line, elements of lists one a line; what is nested is JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined) return null;
  if (value === null) return 'null';
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n') : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(elementText);
  return plainText(value);
}

function elementText(value: unknown): string {
  return isJsonObject(value) ? plainText(value) : String(value);
}
