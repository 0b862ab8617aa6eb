/**
 * The organization as files, and as the platform shows it, in one form: flat lists of items that a planner can
 * compare (PLANS.md, 2). Values are in the form of the files: fields by their keys there, roles as words, other
 * items by reference.
 */

import type { TSchema } from '@sinclair/typebox';
import type { Client } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { FileLocation } from '../files/yaml/node.js';
import type { Reads, Resource } from '../jobs/reads.js';
import { type FilesName, namedResources } from '../model/resources.js';

export type { FileLocation };

/** What the registry has of kinds of files. */
export type KindName = FilesName;

/** Kinds that others name, or that name others. What the registry has beside them comes between the two. */
const first: readonly KindName[] = [
  ...(['fields', 'people', 'teams', 'memberships', 'collections', 'spaces', 'openapi'] as const),
  'translations',
];
const last: readonly KindName[] = [
  ...(['sites', 'groups', 'sections', 'site-spaces', 'saml', 'organization'] as const),
];

const known = namedResources.flatMap(({ printed: { files } }) => files ?? []) as readonly KindName[];

/** In the order in which they are created and changed; deletions go the other way. */
export const kindNames: readonly KindName[] = [
  ...new Set([...first, ...known.filter((name) => !last.includes(name)), ...last]),
];

/** `teams/writers`; of a site's parts `sections/acme-docs/guides`. Unique, and the key in the lock. */
export type Address = `${KindName}/${string}`;

/** The entry of the lock for the guards: no item has it, although it has the id of the organization. */
export const guardsAddress: Address = 'organization/guards';

/** A value that names another item. */
export interface Reference {
  $ref: Address;
}

/** The value of an environment variable: `!env NAME`. */
export interface EnvironmentReference {
  $env: string;
}

/** JSON, a `Reference` or an `EnvironmentReference`; the text of a `!file` is read in. */
export type Value = unknown;

/** What a collection of a file says about items that it does not name. */
export type Manage = 'none' | 'additive' | 'exact';

export interface DesiredItem {
  kind: KindName;
  address: Address;
  /** The last part of the address: the key in the file, or the natural key. */
  key: string;
  /** The item in which it stands. */
  parent?: Address;
  /** Its place among the children of its parent, of whatever kind. */
  index: number;
  /** The fields that the file names, and no others. */
  fields: Readonly<Record<string, Value>>;
  /** The key that it had. */
  was?: string;
  protected: boolean;
  external: boolean;
  at: FileLocation;
  /** Where each field stands. */
  places: Readonly<Record<string, FileLocation>>;
}

/** One list that a file manages: all people, the teams, the structure of one site. */
export interface Scope {
  kinds: readonly KindName[];
  /** The site whose parts it lists. */
  within?: Address;
  manage: Manage;
  at: FileLocation;
}

export interface Guards {
  minAdmins?: number;
  requiredAdmins?: readonly string[];
  requireSelf?: boolean;
  /** A share of 1, or a count. */
  maxRemovals?: { share: number } | { count: number };
}

/** What the files of a folder say. */
export interface Desired {
  items: ReadonlyMap<Address, DesiredItem>;
  scopes: readonly Scope[];
  guards: Guards;
}

/** A resource of the platform. */
export interface LiveItem {
  kind: KindName;
  id: string;
  /** The item in which it is; undefined at the top. */
  parent?: LiveItem;
  /** Its place among its siblings, of whatever kind, where the platform has an order; else 0. */
  index: number;
  /** All fields that files can have, in the form of the files; references hold ids: `{ $id, kind }`. */
  fields: Readonly<Record<string, unknown>>;
  /** What natural keys and titles are matched by. */
  natural?: string;
  title: string;
  resource: Readonly<Record<string, unknown>>;
}

/** By what siblings are sorted: what the platform shows no place of comes last. */
export function orderIndex({ index }: LiveItem): number {
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}

/** A value of a live item that names another. */
export interface LiveReference {
  $id: string;
  kind: KindName;
}

export interface Live {
  organizationId: string;
  /** By kind, each in the platform's order; kinds that were not read are absent. */
  items: ReadonlyMap<KindName, readonly LiveItem[]>;
  missed: readonly Missed[];
}

/** What the token may not read. An item of the files that was not found may be there all the same (unread.ts). */
export interface Missed {
  kind: KindName;
  /** The items were read, but not this field of all of them. */
  field?: string;
  /** Only what stands in it was not read: in a site, in a team. */
  within?: Pick<LiveItem, 'kind' | 'id'>;
  /** A sentence. */
  message: string;
}

/**
 * A kind of thing that files describe, declared once (PLANS.md, "A kind is one declaration"). Planner, pull,
 * drift, findings, schemas and help are derived from it.
 *
 * The parameters in the path of a request are filled in by name: `organizationId`; `parameter` of the kind with the
 * id of the item; `parameter` of another kind with the id of the nearest ancestor of that kind. So a site space in a
 * section in a group takes its `siteId` from three levels above.
 *
 * An id is what the path takes: of fields the name, of specs the slug, of memberships the id of the person.
 *
 * To create an item: the body is `create.more`, then what `bodyOf` gives for each field that `atCreation` tells of
 * (kinds/declare.ts). The other fields follow in one `update` with the id that the answer holds, those with `setBy`
 * in a request each, and those that are `last` once everything stands. It is then the last of its siblings; where
 * `order.enter` names the kind of its parent, it is created at the level above and enters afterwards.
 */

export interface Kind {
  readonly name: KindName;
  /** In the singular: `team`. */
  readonly one: string;
  readonly spot: FileSpot;
  /** The kinds in whose items it stands; `root` stands for the top of the file. */
  readonly parents: readonly (KindName | 'root')[];
  /** The key that names it in files: a field that the platform keeps unique (`email`), or `key`, which is the file's own. */
  readonly key: { field: string } | 'own';
  /** The path parameter of its operations: `teamId`. */
  readonly parameter: string;
  /**
   * The kind of ancestor whose key is part of the address: `sites` for `sections/acme-docs/guides`, `teams` for
   * `memberships/writers/ada@acme.example`. Absent where an address is the kind and the key.
   */
  readonly scope?: KindName;
  /**
   * Its key is that of an item of this kind: of a site space the space's, of a membership the person's. `natural`
   * of a live item is then the id of that item, so that it is matched by it. Where `parameter` is that of the named
   * kind, the id is that of the named item too, and so known before the item is created.
   */
  readonly names?: KindName;
  readonly fields: readonly Field[];
  /** What is never in a file for it, and why: for help and the guide. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /**
   * Lists the live items, some at a time, in the platform's order. `all` gives those of the kinds that come before it.
   */
  list(reading: LiveReading): AsyncIterable<readonly LiveItem[]>;
  /** The operations that listing sends, for the declarations of commands; first the list that shows its items. */
  readonly reads: readonly AnyOperation[];
  readonly create?: Creation;
  readonly update?: AnyOperation;
  readonly remove?: AnyOperation;
  readonly order?: Order;
  /** What no operation does, as findings: `create`, `delete`, `change <field>`; the rest is for help only. */
  readonly cannot?: Readonly<Record<string, Cannot>>;
}

export interface Cannot {
  /** A sentence: `The API cannot create a member.` */
  message: string;
  /** What to do instead: `Invite ada@acme.example.` */
  hint?: (item: DesiredItem) => string;
  /** A second sentence from what was read: `12 spaces would lose their values.` */
  more?(live: Live, item: LiveItem): string | undefined;
}

/** Where items of a kind stand in the files. */
interface FileSpot {
  /** `teams.yaml`, or `sites/*.yaml`: one file an item, named by its key. */
  file: string;
  /** The key of its list at the top of the file: `teams`; absent where the file is the item. */
  list?: string;
  /** The key at the top of the file under which its fields stand, where the file is the item: `site`. */
  under?: string;
  /** The key that names an item in a list of several kinds: `space: welcome`. Default: the key field. */
  marker?: string;
  /** The key of the list of what stands in it: `contents`. */
  children?: string;
}

export interface Field {
  /** In files: `default_role`. */
  readonly key: string;
  /** In bodies of requests: `defaultRole`. */
  readonly name: string;
  /** In the form of the files, from the declaration of the operation that sets it. Where null clears it, it allows null. */
  readonly schema: TSchema;
  /** The kind of item that it names; in the same site where that kind has the `scope` `sites`. */
  readonly refers?: KindName;
  /** What it names instead where no item of `refers` has the key: the default of a site without sections. */
  readonly orElse?: KindName;
  /** How the platform shows it, in the form of the files; default: the field of the same name, or null. */
  show?(resource: Resource): unknown;
  /**
   * The fields of the body that set it; default: its own. Call it by `bodyOf` (kinds/declare.ts).
   * @param value in the form of the files; of a reference the id, or where it comes from
   * @param target the kind of item that the reference names
   */
  send?(value: unknown, target?: KindName): Readonly<Record<string, unknown>>;
  /** Fields of the body that it sets beside `name`. */
  readonly sends?: readonly string[];
  /** The creation is refused without it. */
  readonly required?: true;
  /** Reading it takes requests of its own: where it was not read, a live item does not have it. */
  readonly apart?: true;
  /** The operation that sets it, where that is not the update of the kind, and the body for it (undefined: none). */
  readonly setBy?: { op: AnyOperation; body(value: unknown): unknown };
  /** Set once everything else stands, since it names things inside: `default`. */
  readonly last?: true;
  /** Why it cannot change after the creation, as a sentence. */
  readonly fixed?: string;
  /** No two siblings share its value, so names are freed before they are taken. */
  readonly unique?: 'siblings' | 'site' | 'organization';
  /** Only ever goes to this value; the way back is a finding. */
  readonly oneWay?: { to: unknown; message: string };
  /**
   * A map whose keys are compared one by one; absent ones are left alone. A live map has '' and [] for what is not
   * set and can be set so, and no key for what is not set and cannot be cleared; pull leaves out what is empty.
   */
  readonly map?: true;
  /** The kind whose keys the keys of the map are. */
  readonly mapOf?: KindName;
  /** Lists whose order does not matter are sorted before they are compared. */
  readonly set?: true;
  /** Text that pull writes to a file of its own, referred to by `!file`. */
  readonly file?: (item: { key: string }) => string;
}

export interface Creation {
  readonly op: AnyOperation;
  /** Where its id is in the answer; default: `id`. */
  readonly id?: string;
  /** Why this item cannot be created, as a finding with the code `create`. */
  unless?(item: DesiredItem, context: CreationContext): Cannot | undefined;
  /** The body fields that `more` gives. */
  readonly sends?: readonly string[];
  /** Body fields beside those of the item, from its place and its children. */
  more?(item: DesiredItem, context: CreationContext): Readonly<Record<string, unknown>>;
  /** Items that it makes beside its own, and where their ids are in the answer. */
  also?(item: DesiredItem, context: CreationContext): readonly { item: DesiredItem; path: string }[];
}

export interface CreationContext {
  /** In the order of the file. */
  children(item: DesiredItem): readonly DesiredItem[];
  /** The id of an item: a string, or where it comes from. */
  idOf(item: DesiredItem['address']): unknown;
  item(address: Address): DesiredItem | undefined;
  /** What stands directly in an item on the platform; nothing where the item is new. */
  liveChildren(address: Address): readonly LiveItem[];
}

/**
 * How siblings are put in order: `{ position: { after: neighbour } }` or `before`. A live item whose `index` is -1
 * stands somewhere that the platform does not show (a group without sections): it is not compared, nor a neighbour.
 */
interface Order {
  readonly op: AnyOperation;
  /** Siblings that share an order with it: `sections` and `groups` at the top of a site. */
  readonly with: readonly KindName[];
  /** How a request names a neighbour; undefined where this kind's move cannot name that kind. */
  neighbour(kind: KindName, id: unknown): unknown;
  /** Body fields of a move to another parent (null: to the top), beside `position`. */
  parent?(id: unknown): Readonly<Record<string, unknown>>;
  /**
   * Where another operation than the move changes the parent. `enter` goes to a parent of that kind, from another one
   * too: its path takes the id of the new parent, its body the item's own. `leave` goes to the level above: its path
   * takes the id of the old parent and that of the item, which then stands right after its old parent. `enter` makes
   * it the last there.
   */
  readonly enter?: { kind: KindName; op: AnyOperation; body(id: unknown): Readonly<Record<string, unknown>> };
  readonly leave?: { kind: KindName; op: AnyOperation };
  /**
   * The API cannot change the parent: the item is removed and then created under the other one, with the live values
   * of the fields that the file does not name. The risk of that, as a sentence.
   */
  readonly anew?: string;
  /** The parents in which the platform shows an order; default: all. Elsewhere no order is compared. */
  readonly within?: readonly (KindName | 'root')[];
}

/** What listing works with. Lists are read once for all kinds, and several at once. */
export interface LiveReading {
  client: Client;
  organizationId: string;
  reads: Reads;
  /** The live items of another kind that comes before. */
  all(kind: KindName): Promise<readonly LiveItem[]>;
  /**
   * Whether files name anything of a kind or field, so that what is not named is not read.
   * @param of the item, where each takes a request of its own
   */
  wants(kind: KindName, field?: string, of?: Pick<LiveItem, 'id' | 'title'>): boolean;
  /** @param cause the refusal of the platform, where there was one */
  missed(missed: Missed, cause?: unknown): void;
}

/** The kind in an address. */
export function kindIn(address: string): KindName {
  return address.slice(0, address.indexOf('/')) as KindName;
}

/** The nearest item of a kind around a live item. */
export function holderOf({ parent }: LiveItem, kind: string): LiveItem | undefined {
  return parent === undefined || parent.kind === kind ? parent : holderOf(parent, kind);
}
