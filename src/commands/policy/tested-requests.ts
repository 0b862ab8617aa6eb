import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { camel, type GroupEntry, type ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { resolveIds } from '../../cli/resolve/resolve-ids.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import { findJob } from '../../cli/run/find-job.js';
import { runCommand } from '../../cli/run/pipeline.js';
import { requestOf } from '../../cli/run/typed-request.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { requestsOf, restOf } from '../../jobs/step.js';
import { loadPlan } from '../../plans/file.js';
import { stepsOf } from '../../plans/steps.js';
import { mapRequest, type Unmapped } from '../../policy/mapping.js';
import type { TestedLine } from './tested-line.js';

/** The requests that a command line would send; of `docs api` one that may be unknown. */
export type Tested = PlannedRequest | (Unmapped & { text: string });

/**
 * Finds them without sending any but GET: of a command over operations as it assembles them, of others by their plan.
 * @param session of the command that is tested
 * @returns undefined where nothing tells: of commands that work on this machine, and of reports
 * @throws DocsError as the command itself, where it could not begin
 */
export async function testedRequests(
  session: Session,
  line: TestedLine,
  groups: readonly GroupEntry[],
): Promise<Tested[] | undefined> {
  const { command, input, path } = line;
  if (command.anyRequest === true) {
    const request = await requestOf(session, input);
    const found = mapRequest(request);
    return ['unmapped' in found ? { ...found, text: `${request.method} ${request.path}` } : found];
  }
  if (command.spec !== undefined) {
    const named = await resolveIds(session, command, input, refuseWrongFlags);
    return (await assemble(named.session, command, named.input)).calls;
  }
  const plan = input.args.plan;
  if (path === 'apply' && typeof plan === 'string') return requestsIn(session, plan);
  if (path === 'apply') return plannedRequests({ ...line, path: 'plan' }, groups);
  if (path === 'jobs resume') return leftOf(session, String(input.args.job));
  // One that runs a program is not run to find out what it would send.
  const plans = command.passThrough !== true && command.options.some(({ name }) => name === 'save-plan');
  return plans ? plannedRequests(line, groups) : undefined;
}

async function requestsIn({ io }: Pick<Session, 'io'>, file: string): Promise<PlannedRequest[]> {
  const { plan } = await loadPlan(io, file);
  return requestsOf(stepsOf(plan));
}

/** The items of a job that are left. */
function leftOf(session: Session, name: string): PlannedRequest[] {
  const job = findJob(session, new JobFolder(session.io), name);
  return restOf(job);
}

/** What was typed, without the files that it would write; one that is written without a flag goes into the folder. */
function onlyReading({ command, input }: TestedLine, folder: string): ManualInput['options'] {
  const files = command.options.filter(({ path }) => path?.use === 'writes');
  const kept = files.map(({ name, path }) => [camel(name), path?.usual === undefined ? undefined : folder]);
  return { ...input.options, ...Object.fromEntries(kept) };
}

/** Makes the plan of a command in a folder of its own, which is removed; no other file is written. */
async function plannedRequests(
  line: TestedLine,
  groups: readonly GroupEntry[],
): Promise<PlannedRequest[] | undefined> {
  const { io, argv, path, input } = line;
  const folder = await mkdtemp(join(tmpdir(), 'docs-policy-'));
  const savePlan = join(folder, 'plan.json');
  try {
    const globals = { ...line.globals, dryRun: false, yes: true };
    const planned = { ...input, options: { ...onlyReading(line, folder), savePlan } };
    const runLine = () => Promise.reject(new Error('A plan is made by one command.'));
    await runCommand({ io, globals, argv, groups, runLine }, path, planned, true);
    return existsSync(savePlan) ? await requestsIn({ io }, savePlan) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
