import type { BrokenCondition } from '../../access/adaptive/breaks.js';
import { claimText } from '../../access/adaptive/expression.js';
import { type SiteDiff, siteDiff } from '../../access/adaptive/site-diff.js';
import { DocsError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { columnsOf, paletteOf, wantsText, warnReader } from '../../cli/run/output.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';
import type { SchemaRow } from './schema-row.js';
import { schemaOf } from './schema-source.js';
import { diffText } from './schema-text.js';

/**
 * `docs sites schema diff`: lists what a new schema changes and breaks.
 * @throws DocsError usage; findings `conditions_break` (exit 17); partial `not_all_read` (exit 3) where a condition or
 *   a list could not be read
 */
export async function diffSchema(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, printer, globals } = session;
  await printer.check(view);
  const schema = await schemaOf(session, String(input.args.schema), '<schema>');
  const reading = await readingOf(session, input);
  const progress = startProgress(io, { text: 'Reading the conditions', quiet: globals.quiet ?? false });
  const found = await siteDiff(reading, String(input.args.site), schema, { all: true }).finally(
    progress.stop,
  );
  const rows = rowsOf(found);
  if (wantsText(session) && rows.length > 0)
    await printer.text(diffText(rows, columnsOf(session), await paletteOf(session)));
  else await printer.list(rows, view);
  tell(session, found);
}

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

function tell(session: Session, found: SiteDiff): void {
  const { conditions, brokenBefore, unread, hasSchema } = found;
  const words = diffWords(found);
  if (!hasSchema) session.printer.note('The site has no adaptive schema yet.');
  warnReader(session, notReadLines(unread));
  const details = {
    conditions: [...conditions, ...brokenBefore].map(conditionFacts),
    unread: unread.map(unreadFacts),
  };
  if (conditions.some(({ state }) => state === 'breaks'))
    throw new DocsError('findings', 'conditions_break', words, { details });
  if (conditions.length + unread.length > 0) throw notAllRead(words, { unread, details });
  session.printer.note(words);
}

/** For programs. */
export function conditionFacts({ kind, id, title, path, condition, state, claims, why }: BrokenCondition) {
  return { kind, id, title, path, condition, status: state, claims, why };
}
