import type { Client } from '../../api/client.js';
import { isSecretName, redactText } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import type { Reads } from '../../jobs/reads.js';
import { showProgress } from '../../output/progress.js';
import { makePlan, type PlanFacts } from '../../plans/make.js';
import type { Draft, Maker, Plan, PlanNote } from '../../plans/plan.js';
import { type Credential, findCredential } from '../../settings/credentials.js';
import type { Session } from '../declare/session.js';
import type { Foretold, PlannedImpact } from './foretell.js';
import { actorIn, jobFactsOf } from './session-job.js';

/** From drafts to a plan. What only drafts of changes need is loaded for them. */

/** Drafts that become a plan, and what else it says. */
interface PlannedDrafts extends Pick<PlanFacts, 'lock'>, Pick<PlannedImpact, 'found'> {
  drafts: readonly Draft[];
  /** What to know before it starts, as sentences. */
  risks?: readonly string[];
  /** What readers should know although nothing is planned for it. */
  notes?: readonly PlanNote[];
  /** Whether somebody reads what they break elsewhere; default: unless they are sent without a question. */
  isRead?: boolean;
  /** What they break, where that is known already. */
  foretold?: Foretold;
}

/** Makes the plan of drafts, with what they break elsewhere. Sends nothing but reads. @throws DocsError as `makePlan` */
export async function planDrafts(
  session: Session,
  reads: Reads,
  facts: Omit<PlanFacts, 'risks'>,
  { drafts, risks = [], notes = [], lock, found, foretold, ...planned }: PlannedDrafts,
): Promise<Plan> {
  const { globals, savePlan } = session;
  const asks = savePlan !== undefined || globals.dryRun === true || globals.yes !== true;
  const told = (planned.isRead ?? asks) ? drafts : [];
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const about = { organizationId: facts.organization, found };
  const { lines, impact } = foretold ?? (await foretell(session, client, told, about));
  const more = defined({ impact, notes: notes.length > 0 ? notes : undefined, lock });
  const head = { ...facts, risks: [...risks, ...lines], ...more };
  return showProgress(session, 'Checking the state that the changes are based on', () =>
    makePlan(reads, head, drafts),
  );
}

/** What drafts break elsewhere; what finds that out is loaded if there are any. */
async function foretell(
  session: Session,
  client: Client,
  drafts: readonly Draft[],
  about: PlannedImpact,
): Promise<Foretold> {
  if (!drafts.some(({ change }) => change !== undefined)) return { lines: [] };
  return (await import('./foretell.js')).foretellDrafts(session, client, drafts, about);
}

/**
 * What every plan of this session says of itself: where it belongs, how it was made, and by whom.
 * @param command its words, without ids and flags
 */
export async function planFacts(
  session: Session,
  command: string,
  more: Partial<Pick<PlanFacts, 'organization' | 'title' | 'folder' | 'evidence' | 'undoes'>> = {},
): Promise<Omit<PlanFacts, 'risks'>> {
  const { origin, profile, version } = jobFactsOf(session, command, []);
  const credential = await findCredential(session.io, session.settings);
  const by = makerIn(session, credential);
  const line = typedLine(session.line, credential);
  return { version, origin, profile, command, line, by, nowMs: session.io.now(), ...more };
}

/** The account whose token is used, and what acts for it. */
function makerIn(session: Session, credential: Credential | undefined): Maker | 'unknown' {
  if (credential?.member === undefined) return 'unknown';
  const { kind, client, via } = actorIn(session);
  return { ...credential.member, ...(kind !== 'person' && { kind, ...defined({ client, via }) }) };
}

/** The command line without what looks secret, and without the token. */
export function typedLine(line: readonly string[], credential: Credential | undefined): string[] {
  return line.map((word, at) => {
    const flag = /^--([\w-]+)$/.exec(line[at - 1] ?? '')?.[1];
    if (flag !== undefined && isSecretName(flag) && !word.startsWith('-')) return '[redacted]';
    const shown = redactText(word);
    return credential === undefined ? shown : shown.replaceAll(credential.token, '[redacted]');
  });
}
