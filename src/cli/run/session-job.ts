import { isLoopback } from '../../api/transport/address.js';
import { notSent, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { version } from '../../base/version.js';
import type { JobFacts } from '../../jobs/create-job.js';
import type { Header, JobItem } from '../../jobs/journal.js';
import type { Trail } from '../../jobs/trail.js';
import { type Actor, type ActorFacts, actorOf } from '../../policy/actor.js';
import type { Session } from '../declare/session.js';
import { originOf } from './origin.js';

/** Jobs of a session: the platform, profile and organization they belong to, and their journal. */

/**
 * Whether changes are journaled: unless `docs config set journal off`.
 * @throws DocsError configuration `journal_required` where they are not, and a policy is in force
 */
export function keepsJournal({ settings, gate }: Session): boolean {
  if (settings.journal?.value !== false) return true;
  if (gate === undefined) return false;
  const { source, where } = settings.journal;
  const message = `the journal is off (${where}), and under a policy every change is journaled; nothing was sent`;
  const hint = source === 'environment' ? 'unset DOCS_JOURNAL' : 'docs config set journal on';
  throw notSent('configuration', 'journal_required', message, { hint });
}

/** Who acts in this session. */
export function actorIn({ io, settings, gate, agentClient: client }: Session, facts: ActorFacts = {}): Actor {
  const policy = gate?.policies.map(({ hash }) => hash);
  return actorOf(io, { settings, policy, client, ...facts });
}

/**
 * The audit chain, as the jobs of this session write it; loaded with the first event.
 * @param isAlone whether such a job is a single change
 */
export function trailOf(session: Session, isAlone = false): Trail {
  const { io, printer } = session;
  let trail: Promise<Trail> | undefined;
  const load = async (): Promise<Trail> => {
    const { auditTrail } = await import('../../policy/audit/append.js');
    return auditTrail(io, actorIn(session), (line) => printer.warn(line), isAlone);
  };
  return {
    async record(events, use) {
      trail ??= load();
      return (await trail).record(events, use);
    },
  };
}

/** Where the audit chains of the policies in force lie. */
function chainsOf({ io }: Session): Pick<JobFacts, 'chains'> {
  const chains = io.guardPlaces?.() ?? [];
  return chains.length === 0 ? {} : { chains };
}

/** Where a job of this session belongs, as its journal says. */
export function jobFactsOf(
  session: Session,
  command: string,
  steps: readonly JobItem[],
  more: Partial<JobFacts> = {},
): JobFacts {
  const [org, ...others] = new Set(steps.flatMap(({ change }) => change.input.path?.organizationId ?? []));
  return {
    command,
    origin: originOf(session),
    profile: session.settings.profile.value,
    ...(org !== undefined && others.length === 0 && { org }),
    version,
    actor: more.actor ?? actorIn(session, { plan: more.plan }),
    ...chainsOf(session),
    ...more,
  };
}

/**
 * Refuses a job of another profile, platform or organization.
 * @param doing the command to run again with the right flags: `docs jobs resume <job>`
 * @throws DocsError usage `job_mismatch`: nothing was sent
 */
export function refuseElsewhere(session: Session, header: Header, doing: string): void {
  const { settings, io } = session;
  const { profile, org, origin, job } = header;
  if (profile !== settings.profile.value) {
    const way = profile === 'sandbox' ? '--sandbox' : `--profile ${shellWord(profile, io.platform)}`;
    throw mismatch(job, `profile ${profile}`, settings.profile.value, `${doing} ${way}`);
  }
  if (origin !== originOf(session))
    throw mismatch(job, origin, originOf(session) || 'none', 'docs config get base-url');
  const own = settings.org?.value;
  if (org === undefined || own === undefined || org === own) return;
  throw mismatch(job, `organization ${org}`, own, `${doing} --org ${shellWord(org, io.platform)}`);
}

function mismatch(job: string, its: string, own: string, hint: string) {
  const message = `job ${job} belongs to ${its}, not to ${own}; nothing was sent`;
  return usageError('job_mismatch', message, { hint });
}

/** The profile of a session; that of the embedded platform is `sandbox`, also where it is not started. */
export function profileOf({ settings, globals }: Pick<Session, 'settings' | 'globals'>): string {
  return globals.sandbox ? 'sandbox' : settings.profile.value;
}

/** The platform of a session as manifests name it; all sandboxes on this machine have one name, whatever their port. */
export function platformOf({ settings }: Session): string {
  const address = settings.baseUrl?.value;
  if (settings.sandbox || address === undefined) return 'sandbox';
  const url = new URL(address);
  return isLoopback(url.hostname) ? 'sandbox' : url.origin;
}
