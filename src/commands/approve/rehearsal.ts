import { usageError } from '../../base/errors.js';
import { ownProgram } from '../../base/own-program.js';
import { shellWord } from '../../base/shell-word.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { originOf } from '../../cli/run/origin.js';
import { openCopy } from '../../copy/open.js';
import type { Job } from '../../jobs/journal.js';
import { startProgress } from '../../output/progress.js';
import { writeStandardError } from '../../output/terminal.js';
import { counted, safeText } from '../../output/text.js';
import type { Plan } from '../../plans/plan.js';
import { type Rehearsed, reportOf, reportText } from '../../rehearsal/report.js';
import { openStage } from '../../rehearsal/stage.js';

/**
 * Rehearses a plan on a copy, for a policy that wants an approval of what was seen to work, and shows what came of it.
 * @param path of the plan, as typed
 * @param begun the unfinished job of the plan: what is left of it is rehearsed
 * @throws DocsError usage `rehearsal_failed`: nothing is signed; as `openStage`
 */
export async function rehearsedPlan(
  session: Session,
  plan: Plan,
  path: string,
  begun: Job | undefined,
): Promise<void> {
  const { io } = session;
  const progress = startProgress(io, { text: 'Rehearsing the plan on a copy', quiet: false });
  const said: Buffer[] = [];
  const onError = (bytes: Buffer) => void said.push(bytes);
  const report = await rehearse(session, plan, path, begun, onError).finally(() => progress.stop());
  writeStandardError(io, safeText(Buffer.concat(said).toString()));
  writeStandardError(io, `${safeText(reportText(report))}\n`);
  const { exitCode, failed } = report;
  if (exitCode === 0 && failed.length === 0) return;
  const what =
    failed.length > 0 ? `${counted(failed.length, 'request')} failed` : `it exited with ${exitCode}`;
  const message = `the plan did not pass its rehearsal: ${what}; nothing was signed`;
  throw usageError('rehearsal_failed', message, { hint: `docs plan show ${shellWord(path, io.platform)}` });
}

async function rehearse(
  session: Session,
  plan: Plan,
  path: string,
  begun: Job | undefined,
  onError: (bytes: Buffer) => void,
): Promise<Rehearsed> {
  const { io, settings } = session;
  const organizationId = plan.organization ?? (await contextId(session, 'org'));
  const platform = await session.client({ readOnly: true, timeoutPerRequest: true });
  const origin = originOf(session);
  const stage = await openStage(io, { origin, profile: settings.profile.value }, (file) =>
    openCopy({ source: { platform, organizationId }, file, io }),
  );
  const words =
    begun === undefined ? ['apply', path, '--yes'] : ['jobs', 'resume', begun.header.job, '--yes'];
  try {
    const { program, args } = ownProgram();
    const performed = { program, args: [...args, ...words, '--quiet'] };
    const exitCode = await stage.run({ ...performed, silent: true, onError });
    const facts = {
      command: ['docs', ...words],
      exitCode,
      origin,
      source: 'platform' as const,
      watched: 'all' as const,
    };
    return await reportOf(stage, { ...facts, plan: path, limit: platform.rateLimit, nowMs: io.now() });
  } finally {
    await stage.close();
  }
}
