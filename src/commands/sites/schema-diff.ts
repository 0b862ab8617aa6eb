import { type BrokenCondition, claimText } from '../../access/adaptive/claims.js';
import { knownDiff, type SiteDiff, siteDiff } from '../../access/adaptive/read.js';
import { setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Changes, Guard } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { columnsOf, paletteOf } from '../../cli/run/output.js';
import type { Report, ReportEnding, Session } from '../../cli/run/run-report.js';
import { hanging } from '../../document/lines.js';
import type { Palette } from '../../output/colors.js';
import { counted, safeLine } from '../../output/text.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';
import { type SchemaRow, schemaOf } from './schema-input.js';

/**
 * `docs sites schema diff`, and what `schema set` looks at before it sends: what a new schema changes and breaks.
 */

/** Columns that a text gets at least. */
export const least = 24;
const inset = '    ';

export type Mark = readonly [string, keyof Palette];

const marks: Readonly<Record<SchemaRow['status'], Mark>> = {
  added: ['+', 'good'],
  removed: ['-', 'bad'],
  moved: ['~', 'warn'],
  narrowed: ['~', 'warn'],
  widened: ['~', 'good'],
  changed: ['~', 'warn'],
  breaks: ['✗', 'bad'],
  unknown: ['?', 'warn'],
  broken: ['!', 'warn'],
};
const reasons: Partial<Record<SchemaRow['status'], string>> = {
  breaks: 'Breaks',
  unknown: 'Unknown',
  broken: 'Broken already',
};

/** The claims, then each condition that breaks, with the place where it is. */
function diffText(rows: readonly SchemaRow[], columns: number, palette: Palette): string {
  const lines = rows.flatMap(({ status, kind, claims, title, path, condition, why, id }) => {
    const [mark, tone] = marks[status];
    const paint = palette[tone];
    const hung = (lead: string, text: string, look = {}) =>
      hanging(lead, safeLine(text), columns, { least, ...look });
    if (kind === 'claim') return hung(`${mark} `, `${claims.join(', ')} ${why}`, { mark: paint, paint });
    const name = `${kind === 'section' ? 'Section' : 'Site space'} ${title} (${id}) at ${path}`;
    return [
      '',
      ...hung(`${mark} `, name, { mark: paint, paint: palette.strong }),
      ...hung(inset, String(condition)),
      ...hung(inset, `${reasons[status]}: ${why}.`, { paint }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** Findings `conditions_break` (exit 17); partial `not_all_read` (exit 3) where a condition or a list was not read. */
export const schemaDiffReport: Report<SiteDiff> = {
  async read({ session, input, rawReading, progress }) {
    const schema = await schemaOf(session, String(input.args.schema), '<schema>');
    const reading = await rawReading();
    return progress('Reading the conditions', () =>
      siteDiff(reading, String(input.args.site), schema, { all: true }),
    );
  },
  async text(found, { session }) {
    const rows = rowsOf(found);
    return rows.length === 0 ? undefined : diffText(rows, columnsOf(session), await paletteOf(session));
  },
  rows: rowsOf,
  notes: ({ hasSchema }) => (hasSchema ? [] : ['The site has no adaptive schema yet.']),
  end: endingOf,
};

function rowsOf({ claims, conditions, brokenBefore }: SiteDiff): SchemaRow[] {
  return [
    ...claims.map(({ change, claim, why }): SchemaRow => {
      const name = claimText(claim);
      return { status: change, kind: 'claim', claims: [name], why, id: name };
    }),
    ...[...conditions, ...brokenBefore].map(
      ({ state, ...condition }): SchemaRow => ({ status: state, ...condition }),
    ),
  ];
}

/** `3 claims changed; 1 condition breaks.` */
function diffWords({ claims, conditions, brokenBefore }: SiteDiff): string {
  const [broken, unknown] = (['breaks', 'unknown'] as const).map(
    (state) => conditions.filter((one) => one.state === state).length,
  ) as [number, number];
  const words = [
    claims.length === 0 ? 'No claim changes' : counted(claims.length, 'claim changes', 'claims change'),
    broken === 0 ? 'no condition breaks' : counted(broken, 'condition breaks', 'conditions break'),
    ...(unknown > 0 ? [counted(unknown, 'condition is unknown', 'conditions are unknown')] : []),
    ...(brokenBefore.length > 0
      ? [counted(brokenBefore.length, 'condition was broken before', 'conditions were broken before')]
      : []),
  ];
  return `${words.join('; ')}.`;
}

function endingOf(found: SiteDiff): ReportEnding {
  const { conditions, brokenBefore, unread } = found;
  const words = diffWords(found);
  const warnings = notReadLines(unread);
  const details = {
    conditions: [...conditions, ...brokenBefore].map(conditionFacts),
    unread: unread.map(unreadFacts),
  };
  if (conditions.some(({ state }) => state === 'breaks'))
    return { warnings, failure: new DocsError('findings', 'conditions_break', words, { details }) };
  if (conditions.length + unread.length > 0)
    return { warnings, failure: notAllRead(words, { unread, details }) };
  return { note: words };
}

/** For programs. */
function conditionFacts({ kind, id, title, path, condition, state, claims, why }: BrokenCondition) {
  return { kind, id, title, path, condition, status: state, claims, why };
}

const allowBroken = 'allow-broken';

type Call = Changes['calls'][number];

/**
 * Refuses a schema that breaks a condition.
 * @throws DocsError usage `conditions_break`; `conditions_unread` where that is not known
 */
export const guardSchema: Guard = async ({ session, client, calls }) => {
  const risks: string[] = [];
  for (const call of calls) {
    if (call.op !== setAdaptiveSchema) continue;
    const { organizationId = '', siteId = '' } = call.input.path ?? {};
    const { jsonSchema } = (call.input.body ?? {}) as { jsonSchema?: unknown };
    const reading = { client, organizationId, concurrency: 1, signal: session.io.signal };
    const isAllowed = call.flags?.includes(allowBroken) === true;
    // Whoever allows it needs to be told only where somebody decides yet.
    if (isAllowed && session.globals.yes && session.savePlan === undefined) continue;
    const found = await knownDiff(reading, siteId, jsonSchema);
    if (found === undefined) continue;
    if (isAllowed) risks.push(...found.conditions.map(riskOf));
    else refuseBroken(session, siteId, call, found);
  }
  return { risks, needsYes: false };
};

function refuseBroken(session: Session, siteId: string, call: Call, found: SiteDiff): void {
  const { conditions, unread } = found;
  if (conditions.length + unread.length === 0) return;
  const broken = conditions.filter(({ state }) => state === 'breaks').length;
  const unknown = conditions.length - broken;
  const parts = [
    ...(broken > 0 ? [counted(broken, 'condition would break', 'conditions would break')] : []),
    ...(unknown > 0 ? [counted(unknown, 'condition might break', 'conditions might break')] : []),
    ...(unread.length > 0 ? ['not everything could be read'] : []),
  ];
  const { io, globals } = session;
  const words = [siteId, schemaWord(session, call)].map((word) => shellWord(word, io.platform));
  const command = `docs sites schema diff ${words.join(' ')}`;
  const next =
    conditions.length === 0
      ? `To set it without looking at the conditions, add --${allowBroken}.`
      : `Change the conditions first, or add --${allowBroken}.`;
  const message = `the schema of site ${siteId} was not changed: ${parts.join(', ')}; nothing was sent. ${next}`;
  throw usageError(broken > 0 ? 'conditions_break' : 'conditions_unread', message, {
    lines: [...conditions.map(riskOf), ...notReadLines(unread)],
    details: { conditions: conditions.map(conditionFacts), unread: unread.map(unreadFacts) },
    hint: atPlace(command, globals, io.platform),
  });
}

/** The schema as it was typed, if that is a file; else the JSON itself. */
function schemaWord({ line }: Session, { input }: Call): string {
  const file = line.find((word) => word.startsWith('@'));
  return file ?? JSON.stringify((input.body as { jsonSchema?: unknown }).jsonSchema);
}

/** `Section API (sc1) at /api, visitor.claims.beta: beta is removed.` */
function riskOf({ kind, title, id, path, condition, state, why }: SiteDiff['conditions'][number]): string {
  const what = kind === 'section' ? 'Section' : 'Site space';
  const unknown = state === 'unknown' ? 'unknown, ' : '';
  return `${what} ${title} (${id}) at ${path}, shown if ${condition}: ${unknown}${why}.`;
}
