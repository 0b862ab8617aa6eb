import type { Impact, ImpactAction, ImpactAspect } from '../../access/impact/change.js';
import { readImpact } from '../../access/impact/impact.js';
import { DocsError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { resources } from '../../model/resources.js';
import { counted } from '../../output/counted.js';
import { startProgress } from '../../output/progress.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { notAllRead, type Reading, unreadFacts } from '../../snapshot/unread.js';
import { placeFacts } from '../page-facts.js';
import { reportPage } from '../report-page.js';
import { checkPrinting, printImpact } from './print.js';
import { type ImpactRequest, requestOf } from './request.js';

/**
 * `docs impact delete|move|rename`: reads, prints, and fails where that was asked for.
 * @throws DocsError findings (exit 17) with `--fail-on`; partial (exit 3) where something could not be read
 */
export async function runImpact(session: Session, input: ManualInput, action: ImpactAction): Promise<void> {
  await checkPrinting(session);
  const page = await impactPage(session, input);
  const request = await requestOf(session, input, action);
  const impact = await read(request);
  // All of it was read, so the page is written even if the reader of the output has left.
  await printImpact(request.session, impact).finally(() => page?.(request, impact));
  const failure = failureOf(impact, request.failOn);
  if (failure !== undefined) throw failure;
}

/** Writes the page of `--html`; undefined without it. @throws DocsError as `reportPage` */
export async function impactPage(
  session: Session,
  input: ManualInput,
): Promise<((request: ImpactRequest, impact: Impact) => Promise<void>) | undefined> {
  const page = await reportPage(session, input);
  return (
    page &&
    (async ({ organization }, impact) => {
      const { impactReport } = await import('./document.js');
      await page.write(impactReport(impact, placeFacts(session, organization)));
    })
  );
}

function read(request: ImpactRequest): Promise<Impact> {
  const { question, aspects } = request;
  return lookWith(request, (reading, onSpace) => readImpact(reading, question, { aspects, onSpace }));
}

/** Connects and looks, showing how far that is. @throws DocsError as the look, as `withList` */
export async function lookWith<T>(
  request: ImpactRequest,
  look: (reading: Reading, onSpace: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  const { session, organization, concurrency } = request;
  const { io, globals } = session;
  const client = checkedClient(await session.client({ connections: concurrency, timeoutPerRequest: true }));
  const quiet = globals.quiet ?? false;
  let progress = startProgress(io, { text: 'Looking at what would break', quiet });
  let total = 0;
  // A new name or path gives nobody another role, so nobody's is read.
  const readsPeople = request.question.action !== 'rename' && request.aspects.includes('people');
  const onSpace = (done: number, of: number) => {
    if (total === 0) {
      total = of;
      progress.stop();
      progress = startProgress(io, { text: 'Reading links', quiet, total });
    }
    progress.count(done);
    if (done < of || !readsPeople) return;
    progress.stop();
    progress = startProgress(io, { text: 'Reading who has access', quiet });
  };
  try {
    return await look({ client, organizationId: organization, concurrency, signal: io.signal }, onSpace);
  } catch (cause) {
    throw withList(cause, request);
  } finally {
    progress.stop();
  }
}

const nouns: Readonly<Record<ImpactAspect, readonly [one: string, many: string]>> = {
  links: ['link', 'links'],
  urls: ['URL', 'URLs'],
  dependents: ['dependent', 'dependents'],
  people: ['change of access', 'changes of access'],
};

/** `12 URLs, 3 links`, of what was found. */
export function foundWords(impact: Impact, aspects: readonly ImpactAspect[] = impact.looked): string {
  const found = aspects.filter((aspect) => impact[aspect].length > 0);
  return found.map((aspect) => counted(impact[aspect].length, ...nouns[aspect])).join(', ');
}

/**
 * The failure of a look: findings where `--fail-on` names what was found, or where the platform will refuse the
 * change, whatever was not read; else partial if something was not read.
 */
export function failureOf(impact: Impact, failOn: readonly ImpactAspect[]): DocsError | undefined {
  const { unknown } = impact;
  const found = Object.fromEntries(impact.looked.map((aspect) => [aspect, impact[aspect].length]));
  const details = { found, unread: unknown.map(unreadFacts) };
  const words = foundWords(impact, failOn);
  const not = unknown.length === 0 ? '' : ` ${counted(unknown.length, 'read')} failed.`;
  if (words !== '') return new DocsError('findings', 'impact_found', `Found ${words}.${not}`, { details });
  const refused = impact.dependents.find((one) => one.refused === true);
  if (refused !== undefined)
    return new DocsError('findings', 'change_refused', `The platform will refuse it: ${refused.what}`, {
      details: { ...details, refused },
    });
  if (unknown.length === 0) return undefined;
  const message = `${counted(unknown.length, 'thing')} could not be read, so more may break than is shown.`;
  return notAllRead(message, { unread: unknown, details });
}

/**
 * The failure of a look: where something that was named is not there, with the command that lists its kind.
 * @returns anything else as it is
 */
function withList(cause: unknown, { question: { things, to }, kind }: ImpactRequest): unknown {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') return cause;
  const { path = '', ...failure } = cause.failure;
  const missing = decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
  const named = things.some(({ id }) => id === missing) ? kind.kind : undefined;
  const listed = missing === to?.parent ? 'collection' : named;
  if (listed === undefined) return cause;
  const { words } = resources[listed].command;
  const hint = `docs ${words}`;
  return new DocsError(cause.kind, cause.code, cause.message, { ...failure, path, hint });
}
