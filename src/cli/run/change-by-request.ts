import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import type { TransportRequest, TransportResponse } from '../../api/transport.js';
import { createJob } from '../../jobs/create-job.js';
import { plannedRecord } from '../../jobs/job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { JobRun, type Step } from '../../jobs/run-job.js';
import type { Session } from '../declare/session.js';
import { factsOf, keepsJournal } from './job-facts.js';
import { noteWayBack } from './way-back.js';

/** Changes typed as requests (`docs api`): jobs of one where the platform's table knows the operation. */

/**
 * Sends a change exactly as given, and nothing else: no state is read before, so that undo takes back
 * only what needs none. Headers are not journaled, for they may hold secrets.
 * @throws DocsError as `Transport.send`, `createJob`
 */
export async function changeByRequest(
  session: Session,
  request: TransportRequest,
): Promise<TransportResponse> {
  const client = await session.client();
  const known = knownRequest(request);
  if (known === undefined || !keepsJournal(session)) return client.send(request);
  let response: TransportResponse | undefined;
  const step: Step = {
    op: known.op,
    record: plannedRecord({ item: 0, is: 'planned', id: known.id, op: known.op.id, input: known.input }),
    async send() {
      response = await client.send(request);
      return response.body;
    },
  };
  const facts = factsOf(session, 'api', [known]);
  const open = await createJob(session.io, new JobFolder(session.io), facts, [step], true);
  try {
    const parts = { io: session.io, client, journal: open.journal, steps: [step] };
    const run = new JobRun({ ...parts, concurrency: 1, failFast: false, single: true, unread: true });
    for await (const { failure } of run.results()) {
      if (failure !== undefined && response === undefined) throw failure;
    }
  } finally {
    await open.close();
  }
  if (response === undefined) throw session.io.signal.reason;
  noteWayBack(session, client, [known], undefined);
  return response;
}

/** The operation that a request calls, and its input; undefined where the table has none. */
function knownRequest({ method, path, body }: TransportRequest) {
  const [pathname = '', search = ''] = path.split('?');
  for (const op of operations) {
    const values = op.method === method ? pathValues(op, pathname) : undefined;
    if (values === undefined) continue;
    const input: LooseInput = { path: values, query: queryOf(search), ...(body !== undefined && { body }) };
    return { op, input, id: Object.values(values).at(-1) ?? '' };
  }
  return undefined;
}

/** The values of the parameters of an operation's path, where the path is one of its. */
function pathValues(op: AnyOperation, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [op.path.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const text = given[at] ?? '';
    if (name === undefined ? part !== text : text === '') return undefined;
    if (name !== undefined) values[name] = decoded(text);
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function queryOf(search: string): Record<string, string[]> {
  const query = new URLSearchParams(search);
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
}
