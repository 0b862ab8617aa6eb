import { prepare } from '../../api/client.js';
import { likelyOperation, operationAt } from '../../api/resources/index.js';
import type { TransportRequest, TransportResponse } from '../../api/transport.js';
import { checkInput } from '../../api/validate.js';
import { type DocsError, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { same } from '../../jobs/state.js';
import { pathFault } from '../../policy/mapping.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { beginChange, carryOut } from './carry-out.js';
import { tellExposed } from './guard.js';
import { noteRestore } from './operation-proposal.js';
import type { Proposal } from './proposal.js';
import { keepsJournal } from './session-job.js';
import { listPaths } from './typed-request.js';

/** Changes by `docs api`: each is a job of one item, where it calls a known operation. */

/**
 * Carries out a change exactly as it was typed. Nothing tells what another request than a DELETE does, so only a DELETE
 * is always asked about.
 * @returns the answer; undefined where nothing was sent
 * @throws DocsError usage `not_plannable`; as `carryOut`, `Transport.send`
 */
export async function changeByRequest(
  session: Session,
  input: ManualInput,
  request: TransportRequest,
): Promise<TransportResponse | undefined> {
  const unplannable = whyUnplannable(request);
  if (session.savePlan !== undefined && unplannable !== undefined) throw unplannable;
  const { method, path } = request;
  const isDeletion = method === 'DELETE';
  const what = `${method} ${path}`;
  await beginChange(session, { asks: isDeletion ? what : undefined });
  const known = operationAt(request);
  if (known === undefined || path.split('?')[0]?.includes(';')) refuseAmbiguous(request);
  const proposal = await requestProposal(session, request, known);
  const question = { what, isGrave: isDeletion };
  return carryOut(session, input, { ...proposal, question, unplannable: unplannable !== undefined });
}

/**
 * No state is read before the change, so undo covers only operations that need none. Headers may hold secrets and are
 * not journaled.
 */
async function requestProposal(
  session: Session,
  request: TransportRequest,
  known: Change | undefined,
): Promise<Omit<Proposal<TransportResponse>, 'question'>> {
  let response: TransportResponse | undefined;
  const stepFor = (planned: Change): JobItem => ({
    ...jobItem(planned, 0),
    async send() {
      response = await (await session.client()).send(request);
      return response.body;
    },
  });
  const isJournaled = known !== undefined && keepsJournal(session);
  return {
    command: 'api',
    steps: known === undefined ? [] : [stepFor(known)],
    isSingle: true,
    unread: true,
    again: true,
    looks: await aspectsOf(session, request, known),
    show: () => show(session, request),
    tell({ risks, exposed }) {
      tellExposed(session, [...risks, ...exposed]);
      return { risks: [], exposed: [] };
    },
    ...(!isJournaled && { send: () => sendPlain(session, request) }),
    async done({ result }) {
      if (response === undefined) throw result?.failure ?? session.io.signal.reason;
      if (known !== undefined) await noteRestore(session, await session.client(), [known], undefined);
      return response;
    },
  };
}

/** Without a journal. */
async function sendPlain(session: Session, request: TransportRequest): Promise<TransportResponse> {
  const client = await session.client();
  session.printer.changed();
  return client.send(request);
}

/** No warnings about a request that a policy will deny as it is sent. */
async function aspectsOf(
  { gate }: Session,
  { method }: TransportRequest,
  known: Change | undefined,
): Promise<Proposal['looks']> {
  const isDenied = gate !== undefined && known !== undefined && (await gate.verdict(known)).is !== 'allow';
  const told = isDenied ? [] : (['guard', 'exposure'] as const);
  return { dryRun: [...told, 'impact'], question: method === 'DELETE' ? [...told, 'impact'] : told };
}

/** `--dry-run`: the request as it was typed. */
async function show({ printer }: Session, { method, path, body }: TransportRequest): Promise<void> {
  await printer.value(defined({ method, path, body }));
  printer.note('Dry run: the request is shown above; nothing was sent.');
}

/**
 * A change that a server could take for an operation, and that no journal, undo or audit line would show as one.
 * @throws DocsError usage `bad_path`: nothing was sent
 */
function refuseAmbiguous(request: TransportRequest): void {
  const { method, path } = request;
  const meant = likelyOperation(request)?.path;
  const fault = meant === undefined ? pathFault(path) : `may be read as ${meant} by the platform`;
  if (fault === undefined) return;
  const message = `invalid path ${JSON.stringify(path)}: the request ${fault}; nothing was sent`;
  throw usageError('bad_path', message, { hint: listPaths, details: defined({ method, meant }) });
}

/** Why a request cannot be the plan of a known operation: it changes nothing, or a plan cannot hold it as it is. */
function whyUnplannable(request: TransportRequest): DocsError | undefined {
  const { method, path, headers = {} } = request;
  const fault = (why: string, hint = 'docs commands') =>
    usageError('not_plannable', `${method} ${path} cannot become a plan: ${why}; nothing was sent`, {
      hint,
    });
  if (method === 'GET') return fault('it changes nothing');
  if (Object.keys(headers).length > 0)
    return fault('a plan contains no headers, since they may be secret; remove -H');
  const known = operationAt(request);
  if (known === undefined)
    return fault('the API has no such method and path, so docs cannot check what it depends on');
  const issues = checkInput(known.op, known.input);
  const [issue] = issues;
  if (issue !== undefined) return fault(`${issue.field} ${issue.message}`, 'docs api --help');
  if (!same(request.body, prepare(known.op, known.input).body))
    return fault(`${known.op.id} takes no such body`, 'docs api --help');
  return undefined;
}
