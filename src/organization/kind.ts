import type { TSchema } from '@sinclair/typebox';
import type { Client } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { Reads, Resource } from '../jobs/request.js';
import type { DesiredItem, KindName, LiveItem } from './model.js';

/**
 * A kind of thing that files describe, declared once (PLANS.md, "A kind is one declaration"). Planner, pull,
 * drift, findings, schemas and help are derived from it.
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
  readonly fields: readonly Field[];
  /** What is never in a file for it, and why: for help and the guide. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Lists the live items, in the platform's order. `all` gives those of the kinds that come before it. */
  list(reading: LiveReading): AsyncIterable<LiveItem>;
  /** The operations that listing sends, for the declarations of commands. */
  readonly reads: readonly AnyOperation[];
  readonly create?: Creation;
  readonly update?: AnyOperation;
  readonly remove?: AnyOperation;
  readonly order?: Order;
  /** What no operation does, as findings: `create`, `delete`, `change <field>`. */
  readonly cannot?: Readonly<Record<string, Cannot>>;
}

export interface Cannot {
  /** A sentence: `The platform has no operation that creates a member.` */
  message: string;
  /** What to do instead: `Invite ada@acme.example.` */
  hint?: (item: DesiredItem) => string;
}

/** Where items of a kind stand in the files. */
export interface FileSpot {
  /** `teams.yaml`, or `sites/*.yaml`: one file an item, named by its key. */
  file: string;
  /** The key of its list at the top of the file: `teams`; absent where the file is the item. */
  list?: string;
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
  /** From the declaration of the operation that sets it. */
  readonly schema: TSchema;
  /** The kind of item that it names. */
  readonly refers?: KindName;
  /** How the platform shows it; default: the field of the same name, or null. */
  show?(resource: Resource): unknown;
  /** The operation that sets it, where that is not the update of the kind, and the body for it. */
  readonly setBy?: { op: AnyOperation; body(value: unknown): unknown };
  /** Set once everything else stands, since it names things inside: `default`. */
  readonly last?: true;
  /** Why it cannot change after the creation, as a sentence. */
  readonly fixed?: string;
  /** No two siblings share its value, so names are freed before they are taken. */
  readonly unique?: 'siblings' | 'organization';
  /** Only ever goes to this value; the way back is a finding. */
  readonly oneWay?: { to: unknown; message: string };
  /** A map whose keys are compared one by one; absent ones are left alone. */
  readonly map?: true;
  /** Lists whose order does not matter are sorted before they are compared. */
  readonly set?: true;
  /** Text that pull writes to a file of its own, referred to by `!file`. */
  readonly file?: (item: { key: string }) => string;
}

export interface Creation {
  readonly op: AnyOperation;
  /** Body fields beside those of the item, from its place and its children. */
  more?(item: DesiredItem, context: CreationContext): Readonly<Record<string, unknown>>;
  /** Items that it makes beside its own, and where their ids are in the answer. */
  also?(item: DesiredItem, context: CreationContext): readonly { item: DesiredItem; path: string }[];
}

export interface CreationContext {
  children(item: DesiredItem): readonly DesiredItem[];
  /** The id of an item: a string, or where it comes from. */
  idOf(item: DesiredItem['address']): unknown;
}

/** How siblings are put in order. */
export interface Order {
  readonly op: AnyOperation;
  /** Siblings that share an order with it: `sections` and `groups` at the top of a site. */
  readonly with: readonly KindName[];
  /** How a request names a neighbour; undefined where this kind's move cannot name that kind. */
  neighbour(kind: KindName, id: unknown): unknown;
  /** The body for a move to another parent (null: to the top); undefined where no operation does that. */
  parent?(id: unknown): Readonly<Record<string, unknown>>;
}

/** What listing works with. Lists are read once for all kinds, and several at once. */
export interface LiveReading {
  client: Client;
  organizationId: string;
  reads: Reads;
  /** The live items of another kind that comes before. */
  all(kind: KindName): Promise<readonly LiveItem[]>;
  /** Whether files name anything of a kind or field, so that what is not named is not read. */
  wants(kind: KindName, field?: string): boolean;
  missed(sentence: string): void;
}
