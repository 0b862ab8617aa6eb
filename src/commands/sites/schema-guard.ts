import { conditionedParts, readParts } from '../../access/adaptive/read.js';
import { type SiteDiff, siteDiff } from '../../access/adaptive/site-diff.js';
import { setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Changes, Guard } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { isRefusal } from '../../jobs/request.js';
import { counted } from '../../output/counted.js';
import {
  notReadLines,
  type Reading,
  type Unread,
  unlessNotFound,
  unreadFacts,
} from '../../snapshot/unread.js';
import { conditionFacts } from './schema-diff-run.js';

/** What a new adaptive schema would do to the conditions of its site, looked at before it is set. */

export const allowBroken = 'allow-broken';

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
    const found = await diffOf(reading, siteId, jsonSchema);
    if (found === undefined) continue;
    if (isAllowed) risks.push(...found.conditions.map(riskOf));
    else refuseBroken(session, siteId, call, found);
  }
  return { risks, needsYes: false };
};

/** @returns undefined where there is no such site: the answer to the change will say so */
async function diffOf(reading: Reading, siteId: string, schema: unknown): Promise<SiteDiff | undefined> {
  try {
    return await siteDiff(reading, siteId, schema);
  } catch (cause) {
    if (!(cause instanceof DocsError) || !isRefusal(cause)) return unlessNotFound(cause);
    const unread = await inTheWay(reading, siteId, { kind: 'adaptive-schema', id: siteId, error: cause });
    return { claims: [], conditions: [], brokenBefore: [], unread, hasSchema: true };
  }
}

/** What was not read, where the schema was not; nothing where the site has no condition that could break. */
async function inTheWay(reading: Reading, siteId: string, schema: Unread): Promise<Unread[]> {
  const parts = await readParts(reading, siteId);
  const isFree = parts.unread.length === 0 && conditionedParts(parts).length === 0;
  return isFree ? [] : [schema, ...parts.unread];
}

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
  const message = `The schema of site ${siteId} was not changed: ${parts.join(', ')}; nothing was sent. ${next}`;
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
