import type { AnyOperation } from '../api/operation.js';
import { isObject } from '../base/values.js';
import { operationOf } from '../model/operations.js';
import { type ResourceName, resources } from '../model/resources.js';
import type { Request } from '../sandbox/server/respond.js';
import { isSettled, merge, same } from './merge.js';
import type { Twin } from './twin.js';
import { type CopyAnswer, handlerOf } from './watch.js';

/** A resource that others embed: what shows one, the name of its id in the path, and the tables behind it. */
interface Kind {
  shown: AnyOperation;
  id: string;
  tables: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  space: embedded('space', 'spaces', 'sites', 'site_spaces'),
  collection: embedded('collection', 'collections'),
  organization: embedded('organization', 'organizations'),
  team: embedded('team', 'teams', 'team_members', 'space_teams'),
  member: embedded('member', 'members', 'users', 'team_members', 'space_users', 'spaces'),
  site: embedded('site', 'sites', 'site_spaces', 'sections', 'section_groups'),
};

function embedded(name: ResourceName, ...tables: readonly string[]): Kind {
  return { shown: operationOf(name, 'get') as AnyOperation, id: resources[name].parameter, tables };
}

/** Marks an item to leave out of its list. */
const gone = Symbol('gone');

/** Works changes of resources into the places of other answers that embed them, such as the space of a site space. */
export class Embedded {
  readonly #twin: Twin;
  readonly #organizationId: string;
  readonly #known = new Map<string, Promise<{ before: CopyAnswer; after: CopyAnswer }>>();
  #generation = -1;

  /** @param organizationId of requests whose path names none */
  constructor(twin: Twin, organizationId: string) {
    this.#twin = twin;
    this.#organizationId = organizationId;
  }

  /** Whether nothing was changed that others embed. */
  get idle(): boolean {
    return !Object.values(kinds).some((kind) => this.#touches(kind));
  }

  /** An answer of the platform with what it embeds as it is in the copy. */
  async patch(told: unknown, request: Request): Promise<unknown> {
    if (this.idle) return told;
    if (this.#generation !== this.#twin.after.generation) this.#known.clear();
    this.#generation = this.#twin.after.generation;
    if (!isObject(told)) return told;
    const entries = Object.entries(told).map(async ([key, value]) => [key, await this.#walk(value, request)]);
    const all = await Promise.all(entries);
    return Object.fromEntries(all.map(([key, value]) => [key, value === gone ? undefined : value]));
  }

  async #walk(value: unknown, request: Request): Promise<unknown> {
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((item) => this.#walk(item, request)));
      return items.filter((item) => item !== gone);
    }
    if (!isObject(value)) return value;
    const own = await this.#one(value, request);
    if (own === gone) return gone;
    const members = Object.entries(own as object).map(async ([key, member]) => {
      return [key, await this.#walk(member, request)] as const;
    });
    const walked = await Promise.all(members);
    // What embeds a thing as its own subject goes with it.
    if (walked.some(([key, member]) => member === gone && ['space', 'team', 'organization'].includes(key)))
      return gone;
    return retitled(own as object, Object.fromEntries(walked.filter(([, member]) => member !== gone)));
  }

  async #one(value: Record<string, unknown>, request: Request): Promise<unknown> {
    if (isSettled(value)) return value;
    const kind = typeof value.object === 'string' ? kinds[value.object] : undefined;
    if (kind === undefined || typeof value.id !== 'string' || !this.#touches(kind)) return value;
    const { before, after } = await this.#look(kind, value.id, request);
    if (!before.ok) return value;
    if (!after.ok) return after.status === 404 ? gone : value;
    return same(before.body, after.body) ? value : merge(value, before.body, after.body);
  }

  #touches({ tables }: Kind): boolean {
    return tables.some((table) => this.#twin.changed.has(table));
  }

  #look(kind: Kind, id: string, request: Request): Promise<{ before: CopyAnswer; after: CopyAnswer }> {
    const key = `${kind.id} ${id} ${request.user.userId}`;
    const handler = handlerOf.get(kind.shown);
    if (handler === undefined) throw new Error(`No handler answers ${kind.shown.id}.`);
    const { organizationId = this.#organizationId } = request.path;
    const inOrg = kind.shown.path.includes('{organizationId}') && { organizationId };
    const path = { ...inOrg, [kind.id]: id };
    const url = `embedded ${key}`;
    const known =
      this.#known.get(key) ?? this.#twin.both(handler, { ...request, path, url, query: {}, body: undefined });
    this.#known.set(key, known);
    return known;
  }
}

/** A site space is called as its space. */
function retitled(old: { space?: unknown; title?: unknown }, now: Record<string, unknown>): object {
  const [before, after] = [old.space, now.space];
  if (!isObject(before) || !isObject(after) || old.title !== before.title) return now;
  return { ...now, title: after.title };
}
