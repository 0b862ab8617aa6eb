import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  findTokenOwner,
  lastAdminReason,
  ownerReasons,
  refusal,
  type TokenOwner,
} from '../../access/guards.js';
import type { Client } from '../../api/client.js';
import { deleteMember, listMembers, type Member, updateMember } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Application, Applies } from '../../cli/declare/command.js';
import { refuse } from '../../cli/run/output.js';
import { jobFactsOf } from '../../cli/run/session-job.js';
import {
  type Evidence,
  evidenceOf,
  makeEvidenceFolder,
  standingFiles,
  writeEvidence,
} from './offboard-evidence.js';
import { complete, notComplete, resumeHint } from './offboard-execute.js';
import { evidenceSentence } from './offboard-page.js';
import { ranBy } from './offboard-plan.js';

/** What is looked at again where a plan of `members review` or `members offboard` is applied. */

/** Refuses to change the owner of the token, and to leave no admin. */
export const applyReview: Applies = async (application) => {
  await refuseAsThingsStand(application);
  return {};
};

/** The same; then the evidence that was written with the plan is completed as after an offboarding. */
export const applyOffboarding: Applies = async (application) => {
  const { session, client, concurrency, evidence: json } = application;
  const { io } = session;
  const { files: own, report: planned } = await evidenceAt(io, json);
  const files = standingFiles(io, own);
  await makeEvidenceFolder(dirname(files.json));
  const owner = await refuseAsThingsStand(application);
  const facts = jobFactsOf(session, 'members offboard', []);
  const nowMs = io.now();
  const by = ranBy({ facts, account: io.env.USER ?? io.env.USERNAME, owner });
  const report = { ...planned, by, startedAt: new Date(nowMs).toISOString() };
  const organizationId = report.organization.id;
  return {
    begin: (job) => writeEvidence(io, { files, report: { ...report, state: 'begun', job } }),
    async end(job, isDone) {
      const reading = { client, organizationId, concurrency, signal: io.signal };
      const ended = await complete(session, reading, { files, report }, job);
      tell(session, ended, isDone);
    },
  };
};

/** The evidence of a plan, which is on the machine where the plan was made. @throws DocsError usage `no_evidence` */
async function evidenceAt(io: Io, json: string | undefined): Promise<Evidence> {
  const hint = 'docs members offboard --help';
  if (json === undefined)
    throw usageError('no_evidence', 'The plan names no evidence file; nothing was sent.', { hint });
  const text = await readFile(json, 'utf8').catch((cause: unknown) => {
    const why =
      systemCode(cause) === 'ENOENT' ? 'not found' : `unreadable: ${systemCode(cause) ?? String(cause)}`;
    const message = `Evidence file ${json} ${why}; it stands where the plan was made. Nothing was sent.`;
    throw usageError('no_evidence', message, { hint });
  });
  const evidence = evidenceOf(text, json, json);
  if (evidence.report.state === 'planned') return evidence;
  const message = `${json} is the evidence of an offboarding that was begun; nothing was sent.`;
  throw usageError('no_evidence', message, {
    hint: resumeHint({ io }, json),
  });
}

/** @returns whose token is in use @throws DocsError usage `refused`; as `Client.call` */
async function refuseAsThingsStand({
  session,
  client,
  calls,
  concurrency,
}: Application): Promise<TokenOwner | undefined> {
  const own = calls.filter(({ op }) => op === updateMember || op === deleteMember);
  const organizationId = own[0]?.input.path?.organizationId;
  if (organizationId === undefined) return undefined;
  const changed = await membersNamed(client, organizationId, new Set(own.map(({ id }) => id)));
  const raised = new Set(own.filter(makesAdmin).map(({ id }) => id));
  const lost = changed.filter(({ id }) => !raised.has(id));
  const reasons = await lastAdminReason(
    { client, organizationId, concurrency, signal: session.io.signal },
    lost,
  );
  const organization = await client.call(getOrg, { path: { organizationId } });
  const owner = await findTokenOwner(client, organizationId);
  refuse(session, refusal([...reasons, ...ownerReasons(owner, changed, organization)]));
  return owner;
}

function makesAdmin({ input }: Application['calls'][number]): boolean {
  return (input.body as { role?: unknown } | undefined)?.role === 'admin';
}

async function membersNamed(
  client: Client,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of client.call(listMembers, { path: { organizationId } }))
    if (ids.has(member.id)) found.push(member);
  return found;
}

function tell(session: Application['session'], { files, report }: Evidence, isDone: boolean): void {
  const { io, printer } = session;
  const isComplete = report.state === 'complete';
  const evidence = evidenceSentence(session, files, isComplete);
  printer.note(isComplete ? `Reading again confirms it. ${evidence}` : evidence);
  if (isComplete || !isDone || io.signal.aborted) return;
  throw notComplete(session, files.json);
}
