import { listOf, prepare } from '../../api/client.js';
import type { AnyOperation, Result } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { choice, nullable } from '../../api/shapes.js';
import { type TObject, type TProperties, type TSchema, Type } from '../../api/type.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Resource } from '../../jobs/reads.js';
import { operationOf } from '../../model/operations.js';
import { type ResourceName, resources } from '../../model/resources.js';
import type {
  Address,
  CreationContext,
  DesiredItem,
  Field,
  Kind,
  KindName,
  LiveItem,
  LiveReading,
  LiveReference,
  Missed,
} from '../model.js';

/** How fields and items of kinds are declared, and how their fields stand in the bodies of requests. */

/** What the registry says of a kind: its words, its path parameter, the operations that create, change and remove it. */
export function registered(
  resource: ResourceName,
): Pick<Kind, 'name' | 'one' | 'parameter' | 'create' | 'update' | 'remove'> {
  const { noun, parameter, printed } = resources[resource];
  const op = operationOf(resource, 'create');
  return {
    name: printed.files as KindName,
    one: noun,
    parameter,
    ...defined({
      create: op && { op },
      update: operationOf(resource, 'update'),
      remove: operationOf(resource, 'delete'),
    }),
  };
}

/** What a field adds to the declaration of the operation that sets it. */
interface Settings extends Omit<Partial<Field>, 'name'> {
  /** The word that stands for null in files. */
  nullAs?: string;
}

/**
 * Fields from the body of the operation that sets them: the key in files is the name in snake case, the schema and
 * its description are those of the body.
 */
export function fieldsFrom<B extends TProperties>(
  op: AnyOperation & { body: TObject<B> },
  settings: { readonly [Name in Extract<keyof B, string>]?: Settings },
): Field[] {
  const body = propertiesOf(op);
  return Object.entries<Settings | undefined>(settings).map(([name, { nullAs, ...own } = {}]) => {
    const declared = body[name] as TSchema;
    const schema = own.schema ?? (own.refers === undefined ? declared : key(declared));
    const field = { key: inSnakeCase(name), name, ...own };
    return nullAs === undefined ? { ...field, schema } : worded({ ...field, schema }, nullAs);
  });
}

/** All that the update of a resource sets; what its creation must be given is required in files, too. */
export function fieldsOfUpdate(name: ResourceName): Field[] {
  const [update, create] = [operationOf(name, 'update'), operationOf(name, 'create')];
  const required: readonly string[] = create?.body?.required ?? [];
  const settings = Object.keys(update?.body?.properties ?? {}).map((key): [string, Settings] => [
    key,
    required.includes(key) ? { required: true } : {},
  ]);
  return fieldsFrom(update as AnyOperation & { body: TObject }, Object.fromEntries(settings));
}

/** `ssoURL` → `sso_url`. */
export function inSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Files name another item by its key. */
function key(declared: TSchema): TSchema {
  const description = declared.description?.replace(/, by id$/, '');
  const name = Type.String({ minLength: 1, ...defined({ description }) });
  return allowsNull(declared) ? nullable(name, description) : name;
}

/** Whether null clears the field. */
export function allowsNull(schema: TSchema): boolean {
  const { anyOf = [] } = schema as { anyOf?: TSchema[] };
  return anyOf.some(({ type }) => type === 'null');
}

/** A field with a word for null: `guest`. */
function worded(field: Field, word: string): Field {
  const { anyOf = [], description } = field.schema as { anyOf?: TSchema[]; description?: string };
  const words = anyOf.flatMap((branch) => (branch.enum as string[] | undefined) ?? []);
  return {
    ...field,
    schema: choice([...words, word], `${description?.replace(/; null .*$/, '')}, or ${word}`),
    send: (value) => ({ [field.name]: value === word ? null : value }),
    show: (resource) => resource[field.name] ?? word,
  };
}

/** The value of a field that names another item; null where there is none. */
export function referenceTo(kind: KindName, id: unknown): LiveReference | null {
  return typeof id === 'string' ? { $id: id, kind } : null;
}

/** The id of the item that a key names: that of an item of the files, or `id:<platform id>`. */
export function idNamed(kind: KindName, key: string, { idOf }: CreationContext): unknown {
  return key.startsWith('id:') ? key.slice('id:'.length) : idOf(`${kind}/${key}`);
}

/** The site of a part of a site, from its address. */
export function siteOf({ address }: Pick<DesiredItem, 'address'>): Address {
  return `sites/${address.split('/')[1]}`;
}

type ItemIdentity = Partial<Pick<LiveItem, 'id' | 'parent' | 'index' | 'natural' | 'title'>>;

/**
 * A live item from a resource; its id and title are those of the resource unless told.
 * @param unread fields that could not be read: it has none of them
 */
export function liveItem(
  { name, fields }: Pick<Kind, 'name' | 'fields'>,
  resource: Resource,
  { id = String(resource.id), title = String(resource.title ?? ''), index = 0, ...place }: ItemIdentity = {},
  unread: readonly string[] = [],
): LiveItem {
  const values = fieldValues(fields, resource, unread);
  return { kind: name, id, title, index, ...place, fields: values, resource: trimmed(resource) };
}

/** What a resource shows of fields, in the form of the files. */
export function fieldValues(
  fields: readonly Field[],
  resource: Resource,
  unread: readonly string[] = [],
): LiveItem['fields'] {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    if (unread.includes(field.key)) continue;
    const value = field.show ? field.show(resource) : resource[field.name];
    if (value !== undefined || !field.apart) values[field.key] = value ?? null;
  }
  return values;
}

/**
 * Without links, permissions and times, which neither undo nor matching needs, and which many items would make heavy. Of
 * the links, undo needs that of an icon.
 */
function trimmed({ object, urls, permissions, createdAt, updatedAt, ...kept }: Resource): Resource {
  const { icon } = (urls ?? {}) as { icon?: string };
  return icon === undefined ? kept : { ...kept, urls: { icon } };
}

/** The items of a list of the organization. @throws DocsError as the list */
export async function* listed<Op extends AnyOperation>(
  { client, organizationId }: LiveReading,
  op: Op,
  itemOf: (resource: Result<Op>) => LiveItem,
): AsyncGenerator<readonly LiveItem[]> {
  for await (const { items } of listOf(client, op, { path: { organizationId } }).pages())
    yield (items as Result<Op>[]).map(itemOf);
}

/** What is read for each of several items, all at once, in the order of the items. */
export async function* readFor<T>(
  items: readonly T[],
  read: (item: T) => Promise<readonly LiveItem[]>,
): AsyncGenerator<readonly LiveItem[]> {
  yield* await Promise.all(items.map(read));
}

/**
 * The fields of the body that set a field.
 * @param value in the form of the files; of a reference the id, or where it comes from
 * @param target the kind of item that the reference names; default: the first that it can name
 */
export function bodyOf(field: Field, value: unknown, target: KindName | undefined = field.refers) {
  return field.send?.(value, target) ?? { [field.name]: value };
}

/** Whether the creation of an item sets a field to that value; otherwise an update does so afterwards. */
export function atCreation({ create }: Kind, field: Field, value: unknown): boolean {
  if (create === undefined || field.setBy !== undefined || field.last) return false;
  const body = propertiesOf(create.op);
  return Object.entries(bodyOf(field, value)).every(([name, part]) => fits(body[name], part));
}

/** A field that a creation takes may be longer in an update: the title of a section. */
function fits(schema: TSchema | undefined, part: unknown): boolean {
  if (schema === undefined) return false;
  return typeof part !== 'string' || part.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
}

/** The fields of the body of an operation; none where it has no body. */
export function propertiesOf({ body }: AnyOperation): Readonly<Record<string, TSchema>> {
  return (body?.properties ?? {}) as Record<string, TSchema>;
}

/** Reads that the platform refuses: of what it does not show, nobody knows whether it is there. */

/** Whether a read was refused: 404 stands for "not visible", too. */
export function isRefused(cause: unknown): boolean {
  return cause instanceof DocsError && (cause.kind === 'forbidden' || cause.kind === 'not-found');
}

/**
 * What is read, or undefined where the platform refuses that, which is then missed.
 * @param what the token may not read, for the sentence: `the members of the team Writers`
 * @throws every other failure
 */
export async function unlessRefused<T>(
  reading: Pick<LiveReading, 'missed'>,
  { what, ...missed }: Omit<Missed, 'message'> & { what: string },
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (cause) {
    if (!isRefused(cause)) throw cause;
    reading.missed({ ...missed, message: mayNotRead(what, cause) }, cause);
    return undefined;
  }
}

export function mayNotRead(what: string, cause: unknown): string {
  return `The token may not read ${what}: ${(cause as Error).message}`;
}

/** All items of a list; 404 is not an empty one. @throws DocsError not-found; as the reads */
export async function allOf(
  { reads, organizationId }: Pick<LiveReading, 'reads' | 'organizationId'>,
  op: AnyOperation,
  ids: Readonly<Record<string, string>> = {},
): Promise<Resource[]> {
  const names = pathParameters(op.path);
  const all = { organizationId, ...ids };
  const path = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  const found = await reads.all(op, { path });
  if (found === null) throw notFound(op, path);
  return found;
}

/** What a read that answers null means where what it is about was listed. */
export function notFound(op: AnyOperation, path: Readonly<Record<string, string>>): DocsError {
  return new DocsError('not-found', 'not_found', `${op.method} ${prepare(op, { path }).path}: not found`);
}
