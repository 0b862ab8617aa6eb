import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { resultOf } from '../../workflows/openapi-publish/report.js';
import { readSpec } from '../../workflows/openapi-publish/spec.js';
import { usualWaitMs } from '../../workflows/openapi-publish/watch.js';
import { commandLine, msOf, printSpec, requireWord, resultView, watched } from './processing.js';

/** `docs openapi wait`: watches a spec that was set before. */
export async function wait(session: Session, command: Command, input: ManualInput): Promise<void> {
  const slug = requireWord(input, 'slug', 'slug of the spec');
  await session.printer.check(resultView);
  const { timeout } = session.globals;
  const waitMs = timeout === undefined ? usualWaitMs : msOf(timeout);
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  const at = { client, org, slug, line: commandLine(session, command, input) };
  const spec = await watched(session, { ...at, waitMs }, { first: await readSpec(at) });
  await printSpec(session, await resultOf(at, spec, 'complete'));
}
