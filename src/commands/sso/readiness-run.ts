import { readReadiness } from '../../access/sso/readiness.js';
import { Readiness, type ReadinessRow, type RowStatus } from '../../access/sso/report.js';
import { DocsError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, warnReader } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { counted, grouped } from '../../output/counted.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { safeLine } from '../../output/safe-text.js';
import { notAllRead } from '../../snapshot/unread.js';
import { idpOf } from './idp-file.js';

/** `docs sso readiness` on standard output: one object for programs, one row per person for people and pipes. */

const reportView: View = { columns: [], ...fieldPaths(Readiness) };
const ids: View = { columns: [{ path: 'id' }], fields: ['id'] };
const { fields: rowFields } = fieldPaths(Readiness.properties.rows.items);
const rowView: View = {
  columns: [
    { path: 'status', as: 'state', keep: true },
    { path: 'email', keep: true },
    { path: 'role', as: 'role' },
    { path: 'match' },
    { path: 'flags' },
    { path: 'name' },
    { path: 'line' },
    { path: 'id' },
  ],
  fields: [...rowFields, 'match'],
  empty: 'No rows.',
};

/** NDJSON has one row a line; JSON and YAML the whole. */
function viewOf(session: Session): View {
  const format = session.settings.output?.value;
  if (format === 'id') return ids;
  return isStructured(session) && (format !== 'ndjson' || session.globals.jq !== undefined)
    ? reportView
    : rowView;
}

/** @throws DocsError findings (exit 17) where something blocks enforcement; partial (3) where something was not read */
export async function checkReadiness(session: Session, input: ManualInput): Promise<void> {
  const { io, printer, globals } = session;
  const view = viewOf(session);
  await printer.check(view);
  const { provider, status } = input.options;
  const idp = await idpOf(session, input);
  const reading = await checkedReadingOf(session, {
    ...input,
    options: { ...input.options, concurrency: 1 },
  });
  const progress = startProgress(io, { text: 'Reading members', quiet: globals.quiet ?? false });
  const report = await readReadiness({
    ...{ reading, idp, nowMs: io.now },
    provider: typeof provider === 'string' ? provider : undefined,
    onRead: (members) => progress.count(members),
  }).finally(() => progress.stop());
  const wanted = status as RowStatus[] | undefined;
  const rows = report.rows.filter((row) => wanted?.includes(row.status) ?? true);
  if (view === reportView) await printer.one({ ...report, rows }, view);
  else if (view === ids)
    await printer.list(
      rows.filter(({ id }) => id !== undefined),
      view,
    );
  else await printer.list(session.settings.output?.value === 'ndjson' ? rows : rows.map(inCells), view);
  conclude(session, report);
}

/** The row as text for tables and spreadsheets. */
function inCells(row: ReadinessRow): Record<string, unknown> {
  const { flags, matches, role } = row;
  const match = matches.map(({ email, why }) => `${email} (${why.join(', ')})`).join('; ');
  const shown = row.id === undefined ? '' : (role ?? 'guest');
  return { ...row, role: shown, flags: flags.join(', '), match, matches: match };
}

function conclude(session: Session, report: Readiness): void {
  const { blockers, warnings, unread, counts, enforced } = report;
  warnReader(session, [
    ...unread.map(({ what, error }) => `Cannot read the ${what}: ${String(error.message ?? '')}`),
    ...blockers.map(({ message }) => `Blocks enforcement: ${message}`),
    ...warnings.map(({ message }) => `Warning: ${message}`),
    ...(report.idp === null
      ? ['Nobody was compared with the identity provider; pass its export with --idp.']
      : []),
  ]);
  const words = `${sumOf(report)} ${enforcedWords(enforced)}`;
  const details = {
    ...{ enforced, counts, blockers: blockers.map(({ code, message }) => ({ code, message })), unread },
  };
  if (blockers.length > 0) {
    const [first] = blockers;
    const message = `${counted(blockers.length, 'blocker')} of enforcement: ${first?.message ?? ''} ${words}`;
    const isOfProvider = first?.code.includes('provider') === true;
    const hint = isOfProvider ? 'docs saml list' : 'docs members list --role admin';
    throw new DocsError('findings', 'not_ready', message, { details, hint });
  }
  if (unread.length === 0 && counts.unknown === 0 && enforced !== null) {
    session.printer.note(`Nothing blocks enforcement. ${words}`);
    return;
  }
  const missing = [
    ...unread.map(({ what }) => what),
    ...(counts.unknown > 0 ? [`the email of ${counted(counts.unknown, 'member')}`] : []),
    ...(enforced === null ? ['whether SSO is enforced'] : []),
  ];
  throw notAllRead(`Not known: ${safeLine(missing.join(', '))}. ${words}`, { details });
}

function enforcedWords(enforced: boolean | null): string {
  if (enforced === null) return 'Whether SSO is enforced is not known.';
  return `SSO is ${enforced ? '' : 'not '}enforced now.`;
}

/** `400 members: 12 linked, 380 to link, 8 disabled; 3 not members.` */
function sumOf({ counts }: Readiness): string {
  const parts = [
    [counts.linked, 'linked'],
    [counts.toLink, 'to link'],
    [counts.emailMismatch, 'with another email'],
    [counts.notInIdp, 'not in the identity provider'],
    [counts.disabled, 'disabled'],
    [counts.unknown, 'unknown'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`);
  const strangers = counts.notInOrganization > 0 ? `; ${grouped(counts.notInOrganization)} not members` : '';
  return `${counted(counts.members, 'member')}: ${told.join(', ') || 'none'}${strangers}.`;
}
