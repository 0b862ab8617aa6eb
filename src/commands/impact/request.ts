import {
  type Affected,
  type ImpactAction,
  type ImpactAspect,
  type ImpactQuestion,
  impactAspects,
} from '../../access/impact/shapes.js';
import { checkInput } from '../../api/validate.js';
import { DocsError, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { someOf } from '../../cli/parse/plain-values.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { idOf } from '../../cli/resolve/fill-ids.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { changeWords } from '../../cli/run/impact.js';
import { resources } from '../../model/resources.js';
import { type ImpactKind, impactKinds, renameFlags } from './kinds.js';

/** What an impact was asked about, from what was typed. */
export interface ImpactRequest {
  session: Session;
  kind: ImpactKind;
  question: ImpactQuestion;
  organization: string;
  aspects: readonly ImpactAspect[];
  failOn: readonly ImpactAspect[];
}

/**
 * Checks the flags and turns titles and addresses into ids.
 * @throws DocsError usage if flags contradict each other or do not fit the kind; as `idOf`
 */
export async function requestOf(
  session: Session,
  input: ManualInput,
  action: ImpactAction,
): Promise<ImpactRequest> {
  const { args, options } = input;
  const kind = impactKinds.find(({ word }) => word === args.kind);
  if (kind === undefined) throw new Error(`No kind ${String(args.kind)}.`);
  const failOn = someOf('--fail-on', options.failOn, impactAspects);
  const aspects = aspectsLookedFor(options, failOn);
  const to = targetOf(kind, input, action);
  if (action === 'rename') await checkNames(session, kind, to);
  const named = await thingsOf(session, input, kind);
  const question: ImpactQuestion = { action, things: named.things, ...defined({ to }) };
  // The command that makes the change has previews, too.
  session.previewed?.push({ shown: 'docs impact', words: changeWords(question) });
  return {
    session: named.session,
    kind,
    question,
    organization: kind.object === 'organization' ? '' : await contextId(named.session, 'org'),
    aspects,
    failOn,
  };
}

function aspectsLookedFor(
  options: ManualInput['options'],
  failOn: readonly ImpactAspect[],
): readonly ImpactAspect[] {
  const only = someOf('--only', options.only, impactAspects);
  const asked = only.length === 0 ? impactAspects : only;
  const aspects = options.people === false ? asked.filter((aspect) => aspect !== 'people') : asked;
  const missed = failOn.find((aspect) => !aspects.includes(aspect));
  if (missed !== undefined)
    throw usageError('contradiction', `--fail-on ${missed} needs it to be looked for`);
  if (aspects.length === 0)
    throw usageError('contradiction', '--only people and --no-people contradict each other');
  return aspects;
}

/** What the change leads to. @throws DocsError usage where a flag is not for this kind, or none is given */
function targetOf(kind: ImpactKind, { options }: ManualInput, action: ImpactAction): ImpactQuestion['to'] {
  const unset = [options.unset ?? []].flat().map(String);
  if (action === 'move') return moveTarget(kind, options.parent, unset);
  if (action === 'transfer') return { organization: newHome(options.toOrg) };
  if (action !== 'rename') return undefined;
  const given = renameFlags.filter(([flag]) => options[flag] !== undefined || unset.includes(flag));
  for (const [flag, words] of given) {
    if (!words.includes(kind.word))
      throw usageError('contradiction', `--${flag} is for ${listed(words)}, not for ${kind.word}`);
    if (options[flag] !== undefined && unset.includes(flag))
      throw usageError('contradiction', `--${flag} and --unset ${flag} contradict each other`);
  }
  if (given.length === 0) {
    const flags = kind.renames.map((flag) => `--${flag}`).join(' or ');
    throw usageError('missing_flag', `${flags} is required: what the ${kind.word} is to have`);
  }
  return Object.fromEntries(given.map(([flag]) => [flag, options[flag] ?? null]));
}

/** `section and site-space`, `space, collection and site`. */
function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

/**
 * Holds a new title against the declared operation, before anything is read.
 * @throws DocsError usage `invalid_input`
 */
async function checkNames(
  _session: Session,
  { object }: ImpactKind,
  to: ImpactQuestion['to'],
): Promise<void> {
  const { retitleOf, titleFields } = await import('../../access/impact/rename.js');
  const op = retitleOf(object);
  if (op === undefined) return;
  for (const field of titleFields) {
    const value = to?.[field];
    if (value === undefined) continue;
    const [issue] = checkInput(op, { body: { [field]: value } }).filter(
      (one) => one.where === 'body' && one.field === field,
    );
    if (issue === undefined) continue;
    const got = /Length$/.test(issue.keyword) ? `, not ${[...value].length}` : '';
    throw usageError('invalid_input', `--${field} ${issue.message}${got}`);
  }
}

function newHome(organization: unknown): string {
  if (typeof organization === 'string') return organization;
  const message = '--to-org is required: the organization to transfer to';
  throw usageError('missing_flag', message, { hint: 'docs orgs list' });
}

function moveTarget(kind: ImpactKind, parent: unknown, unset: readonly string[]): ImpactQuestion['to'] {
  const isGiven = parent !== undefined || unset.includes('parent');
  const inCollection = kind.within.length === 0;
  if (isGiven && !inCollection)
    throw usageError('contradiction', `--parent is for space and collection, not for ${kind.word}`);
  if (!isGiven && inCollection) {
    const message = '--parent is required: the collection to move into; --unset parent is the top level';
    throw usageError('missing_flag', message);
  }
  if (parent !== undefined && unset.includes('parent'))
    throw usageError('contradiction', '--parent and --unset parent contradict each other');
  return inCollection ? { parent: typeof parent === 'string' ? parent : null } : undefined;
}

async function thingsOf(
  session: Session,
  input: ManualInput,
  { kind, object, within }: ImpactKind,
): Promise<{ session: Session; things: Affected[] }> {
  const typed = await readIds(session, [input.args.id ?? []].flat(), 'id');
  let now = session;
  const ids: string[] = [];
  for (const text of typed.length === 0 ? [undefined] : typed) {
    if (kind === undefined) {
      if (text === undefined) throw usageError('missing_argument', '<id> is required');
      ids.push(text);
      continue;
    }
    const named = await idOf(now, { kind: resources[kind], typed: text, place: '<id>' });
    now = named.session;
    ids.push(named.id);
  }
  if (kind !== undefined) refuseTitles(now, '<id>', ids);
  const parents = await parentsOf(now, input, within);
  const own = within.length === 0 ? {} : { within: parents };
  return { session: now, things: [...new Set(ids)].map((id) => ({ object, id, ...own })) };
}

async function parentsOf(
  session: Session,
  { options }: ManualInput,
  within: ImpactKind['within'],
): Promise<Record<string, string>> {
  const parents: Record<string, string> = {};
  if (within.includes('siteId')) parents.siteId = await contextId(session, 'site');
  if (within.includes('spaceId')) parents.spaceId = await contextId(session, 'space');
  if (within.includes('changeRequestId') && typeof options.changeRequest === 'string')
    parents.changeRequestId = options.changeRequest;
  return parents;
}

/**
 * The failure of a look: where something that was named is not there, with the command that lists its kind.
 * @returns anything else as it is
 */
export function withList(cause: unknown, { question: { things, to }, kind }: ImpactRequest): unknown {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') return cause;
  const { path = '' } = cause.failure;
  const missing = decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
  const named = things.some(({ id }) => id === missing) ? kind.kind : undefined;
  const listed = missing === to?.parent ? 'collection' : named;
  if (listed === undefined) return cause;
  const { words } = resources[listed].command;
  const hint = `docs ${words}`;
  return cause.changed({ path, hint });
}
