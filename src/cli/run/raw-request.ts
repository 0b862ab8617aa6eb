import { checkInput } from '../../api/check.js';
import { prepare } from '../../api/client.js';
import { operationAt } from '../../api/resources/index.js';
import type { TransportRequest, TransportResponse } from '../../api/transport.js';
import { usageError } from '../../base/errors.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { same } from '../../jobs/state.js';
import type { Session } from '../declare/session.js';
import { cautionOfRequest } from './confirm.js';
import { sendSteps } from './runner.js';
import { noteRestore } from './send-changes.js';
import { keepsJournal } from './session-job.js';

/** Changes by `docs api`: each is a job of one item, where it calls a known operation. */

/**
 * Sends a change exactly as given. No state is read before it, so undo covers only operations that need
 * none. Headers may hold secrets and are not journaled.
 * @throws DocsError as `Transport.send`, `createJob`
 */
export async function sendRawRequest(
  session: Session,
  request: TransportRequest,
): Promise<TransportResponse> {
  const client = await session.client();
  const known = operationAt(request);
  session.printer.changed();
  if (known === undefined || !keepsJournal(session)) return client.send(request);
  let response: TransportResponse | undefined;
  const step: JobItem = {
    ...jobItem(known, 0),
    async send() {
      response = await client.send(request);
      return response.body;
    },
  };
  const sending = { command: 'api', steps: [step], again: true };
  const { failure } = await sendSteps(session, sending, { client, unread: true }, (run) => run.item(step));
  if (response === undefined) throw failure ?? session.io.signal.reason;
  noteRestore(session, client, [known], undefined);
  return response;
}

/**
 * `docs api … --save-plan`: the request as the plan of a known operation.
 * @throws DocsError usage `not_plannable` where it changes nothing, or a plan cannot hold it as it is
 */
export async function planRawRequest(session: Session, request: TransportRequest): Promise<void> {
  const { method, path, headers = {} } = request;
  const fault = (why: string, hint = 'docs commands') =>
    usageError('not_plannable', `${method} ${path} cannot become a plan: ${why}; nothing was sent.`, {
      hint,
    });
  if (method === 'GET') throw fault('it changes nothing');
  if (Object.keys(headers).length > 0) throw fault('a plan holds no headers, which may be secret; remove -H');
  const known = operationAt(request);
  if (known === undefined)
    throw fault('no operation has this method and path, so nothing tells what it rests on');
  const issues = checkInput(known.op, known.input);
  const [issue] = issues;
  if (issue !== undefined) throw fault(`${issue.field} ${issue.message}`, 'docs api --help');
  if (!same(request.body, prepare(known.op, known.input).body))
    throw fault(`${known.op.id} takes no such body`, 'docs api --help');
  const { savePlan } = await import('./save-plan.js');
  const { risks } = await cautionOfRequest(session, request);
  await savePlan(session, { command: 'api', steps: [jobItem(known, 0)], risks });
}
