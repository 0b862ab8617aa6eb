import { type Client, type PreparedRequest, prepare } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { changesIn, type PlannedChange } from '../../jobs/journal.js';
import { forecasts, needsSurvey, surveyed, withState } from '../../jobs/outlook.js';
import { readsOf } from '../../jobs/reads.js';
import type { Forecast } from '../../jobs/rule.js';
import { stringify } from '../../output/json.js';
import type { View } from '../../output/printer.js';
import { rememberingClient } from '../../snapshot/organization.js';
import type { Session } from '../declare/session.js';
import { warnOfImpact } from './foretell.js';
import { type AnyProposal, type Connect, changed, hasFlags, lookAt, looksFor } from './guard.js';
import { outputFormat, printsObject } from './output.js';

/** `--dry-run`: what would be sent, and what undo will be able to do about it. */

/**
 * `--dry-run`: shows the requests, or what the proposal shows in their place; then what the guard sees, and what they
 * would break elsewhere. @throws DocsError why they are refused
 */
export async function previewProposal(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
): Promise<void> {
  // What undo can do and what the guard sees may rest on the same list. A real run reads it anew: the guard
  // finds the owner of the token by how the list differs before and after a ping.
  let reading: Promise<Client> | undefined;
  const remembering = (): Promise<Client> => {
    reading ??= connect().then(rememberingClient);
    return reading;
  };
  const calls = changesIn(proposal.steps);
  if (proposal.show !== undefined) await proposal.show();
  else await preview({ ...session, client: remembering }, calls, proposal.isSingle !== true);
  try {
    const { caution, exposed } = await lookAt(session, remembering, proposal, 'dryRun');
    const told = [...caution.risks, ...exposed];
    if (told.length > 0) session.printer.warn(told.join('\n'));
  } catch (cause) {
    const decided =
      !(cause instanceof DocsError) ||
      ['usage', 'interrupted', 'terminated'].includes(cause.kind) ||
      hasFlags(calls);
    if (decided) throw cause;
    session.printer.warn(`Could not check whether this would be refused: ${cause.message}`);
  }
  if (looksFor(proposal, 'dryRun', 'impact')) await warnOfImpact(session, remembering, changed(proposal));
}

/**
 * `--dry-run`: prints the exact requests, without the token, and sends none. One is printed as it would go
 * out, or as an object; each of many is a line, or with `--json` an object, with what undo will be able to do.
 * @param many whether they are those of a job of many items
 */
export async function preview(
  session: Session,
  calls: readonly PlannedChange[],
  many = calls.length > 1,
): Promise<void> {
  const reads = async () => readsOf(await session.client({ timeoutPerRequest: true }));
  const foreseen = await foresee(
    session,
    many ? calls : await Promise.all(calls.map((call) => withState(reads, call))),
  );
  if (many) return previewMany(session, calls, foreseen);
  const [call] = calls as readonly [PlannedChange];
  const [forecast] = foreseen as [Forecast];
  const request = prepare(call.op, call.input);
  const printer = session.printer.whole();
  await (printsObject(session) ? printer.value(request) : printer.text(asSent(request)));
  const undo = `Undo: ${undoWords(forecast)}.`;
  session.printer.note(`Dry run: the request is shown above; nothing was sent. ${undo}`);
}

function asSent({ method, path, body }: PreparedRequest): string {
  return `${method} ${path}\n${body === undefined ? '' : `${stringify(body, 2)}\n`}`;
}

/** What undo will be able to do about each request; a few depend on the state before it, which is read. */
export async function foresee(session: Session, calls: readonly PlannedChange[]): Promise<Forecast[]> {
  if (!needsSurvey(calls)) return forecasts(calls);
  const client = await session.client({ timeoutPerRequest: true });
  return forecasts(await surveyed(readsOf(client), calls));
}

/** `exact`, or `best effort: <why>`, or `none: <why>`. */
function undoWords({ undo, why }: Forecast): string {
  return `${undo.replace('-', ' ')}${why === undefined ? '' : `: ${why}`}`;
}

const view: View = {
  columns: [{ path: 'method' }, { path: 'path' }, { path: 'body' }, { path: 'undo' }, { path: 'why' }],
  fields: ['method', 'path', 'body', 'undo', 'why'],
  open: ['body'],
};

async function previewMany(
  session: Session,
  calls: readonly PlannedChange[],
  foreseen: readonly Forecast[],
): Promise<void> {
  const { globals } = session;
  const printer = session.printer.whole();
  const requests = calls.map(({ op, input }, at) => ({
    ...prepare(op, input),
    ...(foreseen[at] as Forecast),
  }));
  const [first] = requests;
  if (first !== undefined && !printsObject(session) && session.io.stdout.isTTY) {
    printer.note(`The first of ${requests.length}:\n${asSent(first)}`);
  }
  if (globals.jq !== undefined) await printer.value(requests);
  else if (outputFormat(session) === 'json') for (const request of requests) await printer.value(request);
  else if (outputFormat(session) === 'id') await printer.list(calls, { columns: [], fields: ['id'] });
  else await printer.list(requests, view);
  const these = requests.length === 1 ? 'the request is' : `the ${requests.length} requests are`;
  printer.note(`Dry run: ${these} shown above; nothing was sent. ${undoSummary(requests)}`);
}

/** `Undo: 40 exact, 2 none (the reason).` */
export function undoSummary(forecasts: readonly Forecast[]): string {
  const counts = new Map<string, number>();
  for (const { undo, why } of forecasts) {
    const words = `${undo.replace('-', ' ')}${why === undefined ? '' : ` (${why})`}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => (counts.size === 1 ? words : `${count} ${words}`));
  return parts.length === 0 ? '' : `Undo: ${parts.join(', ')}.`;
}
