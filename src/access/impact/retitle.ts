import { callOne, listOf } from '../../api/call-loose.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import { sameName } from '../../base/name.js';
import { DocsError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/counted.js';
import { allSpaces } from '../../reading/spaces.js';
import type { Affected, ImpactQuestion } from './change.js';
import { allOf, type Findings } from './findings.js';
import { type Titled, tellShown } from './title-places.js';

/** New titles: references go by id, so what depends on a title is what people and scripts name things by. */

/** What a kind is called by; a SAML provider has a label. */
export const titleFields = ['title', 'label'] as const;

/** The operation that gives things of a kind another title; undefined where none does. */
export function retitleOf(object: Affected['object']): AnyOperation | undefined {
  return operations.find(
    (op) =>
      op.id.endsWith('.update') &&
      titleFields.some((field) => Object.hasOwn(op.body?.properties ?? {}, field)) &&
      objectOf(op) === object,
  );
}

function objectOf({ returns }: AnyOperation): unknown {
  const schema = returns.kind === 'one' ? returns.schema : returns.kind === 'page' ? returns.item : undefined;
  return schema?.properties?.object?.const;
}

/**
 * Tells what else has the new title, and where the titles are shown or part of an address.
 * @param question its things are of one kind, and of one site where they are on a site
 * @throws DocsError if one of them cannot be read
 */
export async function retitle(found: Findings, { things, to = {} }: ImpactQuestion): Promise<void> {
  const next = to.title ?? to.label;
  const [first] = things;
  if (next === undefined || first === undefined) return;
  const op = retitleOf(first.object);
  if (op === undefined) throw new Error(`${first.object} has no title.`);
  const titled = await readTitled(found, op, things);
  for (const { thing, title } of titled)
    if (!found.things.some(({ id }) => id === thing.id)) found.thing(thing, title);
  const changing = titled.filter(({ title }) => title !== next);
  if (changing.length === 0) return;
  if (found.wants('dependents')) {
    tellShared(found, titled, changing);
    await tellTaken(found, op, titled, next);
  }
  await tellShown(found, changing, next);
}

/** Things of a site are read from the list of their kind, as no operation reads one of them. */
async function readTitled(found: Findings, op: AnyOperation, things: readonly Affected[]): Promise<Titled[]> {
  const get = operations.find((one) => one.method === 'GET' && one.path === op.path);
  const [first] = things;
  const all = get === undefined && first !== undefined ? await siblingsOf(found, op, first) : [];
  return readAll(found.reading, things, async (thing) => {
    const answer =
      get === undefined
        ? all.find(({ id }) => id === thing.id)?.record
        : await callOne(found.reading.client, { op: get, input: { path: pathOf(found, op, thing) } });
    if (!isObject(answer)) throw noSuch(thing);
    return { thing, title: titleOf(answer, thing.id), record: answer };
  });
}

function pathOf({ reading }: Findings, { path }: AnyOperation, { id, within }: Affected) {
  const own = pathParameters(path).at(-1) ?? '';
  return { organizationId: reading.organizationId, ...within, [own]: id };
}

function titleOf(record: Readonly<Record<string, unknown>>, id: string): string {
  const title = titleFields.map((field) => record[field]).find((value) => typeof value === 'string');
  return typeof title === 'string' ? title : id;
}

function noSuch({ object, id, within }: Affected): DocsError {
  const what = object.replace(/^site-(?=section)/, '').replaceAll('-', ' ');
  const where = within?.siteId === undefined ? '' : ` on site ${within.siteId}`;
  return new DocsError('not-found', 'not_found', `${what} ${id} not found${where}.`);
}

interface Sibling {
  id: string;
  title: string;
  record: Readonly<Record<string, unknown>>;
}

/** All things of the kind that a title could mean: those of the organization, or of the site. */
async function siblingsOf(found: Findings, op: AnyOperation, thing: Affected): Promise<Sibling[]> {
  const { reading } = found;
  if (thing.object === 'space') {
    const { spaces, unread } = await allSpaces(reading, ({ id, title }) => ({ id, title, record: {} }));
    found.unknown.push(...unread);
    return spaces;
  }
  const path = pathOf(found, op, thing);
  const list = listFor(op, thing);
  const items = await allOf(listOf(reading.client, list, { path }));
  return items.filter(isObject).map((record) => {
    // The id of a custom field in paths is its name.
    const id = String(thing.object === 'custom-field' ? record.name : record.id);
    return { id, title: titleOf(record, id), record };
  });
}

/** @throws Error where no operation lists the kind, which a test keeps from happening */
function listFor({ path }: AnyOperation, { object, within }: Affected): AnyOperation {
  const known = ['organizationId', ...Object.keys(within ?? {})];
  const lists = operations.filter(
    (one) =>
      one.method === 'GET' &&
      one.returns.kind === 'page' &&
      objectOf(one) === object &&
      pathParameters(one.path).every((name) => known.includes(name)),
  );
  const beside = lists.find((one) => one.path === path.replace(/\/\{\w+\}$/, ''));
  const list = beside ?? lists[0];
  if (list === undefined) throw new Error(`No operation lists ${object}.`);
  return list;
}

/** Several that get one title. */
function tellShared(found: Findings, titled: readonly Titled[], changing: readonly Titled[]): void {
  const others = titled.length - 1;
  if (others === 0) return;
  for (const { thing, title } of changing) {
    const what = `It gets the same title as ${counted(others, 'other', 'others')} here; --by-title then asks for an id.`;
    found.dependents.push({ kind: 'clash', id: thing.id, title, what });
  }
}

/** Others of the kind that have the title already. */
async function tellTaken(
  found: Findings,
  op: AnyOperation,
  titled: readonly Titled[],
  next: string,
): Promise<void> {
  const [first] = titled;
  if (first === undefined) return;
  const { object } = first.thing;
  const list = { kind: `${object}s`.replace(/ss$/, 's'), id: found.reading.organizationId || first.thing.id };
  const all = await found.attempt(list, () => siblingsOf(found, op, first.thing));
  const own = new Set(titled.map(({ thing }) => thing.id));
  for (const { id, title } of all ?? []) {
    if (own.has(id) || !sameName(title, next)) continue;
    const what =
      title === next
        ? 'It has this title already; --by-title then matches both and asks for an id.'
        : 'Its title differs in case or spaces only; --by-title matches both unless one is typed exactly.';
    found.dependents.push({ kind: 'clash', id, title, what });
  }
}
