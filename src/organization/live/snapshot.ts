import type { Client, LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSpaceFields } from '../../api/resources/custom-fields.js';
import { listMembers, listMemberTeams } from '../../api/resources/members.js';
import { addTo } from '../../base/values.js';
import { type Reads, type Resource, readsOf } from '../../jobs/reads.js';
import { rememberingClient } from '../../snapshot/organization.js';
import { kindOf, kinds } from '../kinds/index.js';
import { holderOf, type KindName, type Live, type LiveItem } from '../model.js';

/**
 * Reads that are answered from what was listed, where that holds the whole answer, else by a request, each of
 * which is sent once. What was listed has no links, permissions and times: no rule of undo looks at them but at
 * those of the organization, which is asked for.
 */
export function snapshotReads(live: Live, client: Client): Reads {
  const asked = readsOf(rememberingClient(client));
  const listed = new Listed(live);
  return {
    async one(op, input) {
      const known = listed.one(op, input);
      return known === undefined ? asked.one(op, input) : known;
    },
    all: async (op, input) => listed.all(op, input) ?? asked.all(op, input),
  };
}

/** What takes a read of its own beside an item: the kind of item, and where its resource has it. */
const beside: Readonly<Record<string, { kind: KindName; part: string }>> = {
  [getAdaptiveSchema.id]: { kind: 'sites', part: 'adaptiveSchema' },
  [listSpaceFields.id]: { kind: 'spaces', part: 'customFields' },
};

class Listed {
  readonly #items: Live['items'];
  /** Whether lists show all that there is. */
  readonly #complete: boolean;
  readonly #byId = new Map<KindName, ReadonlyMap<string, LiveItem>>();
  readonly #inside = new Map<KindName, ReadonlyMap<string, readonly Resource[]>>();
  #teams: ReadonlyMap<string, readonly Resource[]> | undefined;

  constructor({ items, missed }: Live) {
    this.#items = items;
    this.#complete = missed.length === 0;
  }

  /** @returns null where there is none, undefined where that was not read */
  one(op: AnyOperation, { path = {}, query }: LooseInput): Resource | null | undefined {
    if (!isPlain(query)) return undefined;
    const part = beside[op.id];
    if (part !== undefined) {
      const resource = this.#item(part.kind, path[kindOf(part.kind).parameter])?.resource;
      return resource?.[part.part] as Resource | null | undefined;
    }
    // An item is shown at the path at which it is changed.
    const kind = kinds.find(({ remove }) => remove?.path === op.path);
    return kind && this.#item(kind.name, path[kind.parameter])?.resource;
  }

  all(op: AnyOperation, { path = {}, query }: LooseInput): Resource[] | undefined {
    const found = this.#complete ? this.#all(op, path, query) : undefined;
    return found && [...found];
  }

  #all(
    op: AnyOperation,
    path: Readonly<Record<string, string>>,
    query: LooseInput['query'],
  ): readonly Resource[] | undefined {
    if (op.id === listMembers.id && query?.role === 'admin' && isPlain({ ...query, role: undefined }))
      return this.#resources('people')?.filter(({ role }) => role === 'admin');
    if (!isPlain(query)) return undefined;
    if (op.id === listMemberTeams.id) return this.#teamsOf(path.userId);
    const kind = kinds.find(({ reads: [list] }) => list?.id === op.id);
    const [parameter] = pathParameters(op.path).filter((name) => name !== 'organizationId');
    if (kind === undefined || parameter === undefined) return kind && this.#resources(kind.name);
    const above = kinds.find((each) => each.parameter === parameter);
    const holder = above && this.#item(above.name, path[parameter]);
    return holder && this.#within(kind.name, holder);
  }

  #item(kind: KindName, id: string | undefined): LiveItem | undefined {
    let known = this.#byId.get(kind);
    if (known === undefined) {
      known = new Map((this.#items.get(kind) ?? []).map((item) => [item.id, item]));
      this.#byId.set(kind, known);
    }
    return id === undefined ? undefined : known.get(id);
  }

  #resources(kind: KindName): readonly Resource[] | undefined {
    return this.#items.get(kind)?.map(({ resource }) => resource);
  }

  /** What stands in an item, however deep. */
  #within(kind: KindName, holder: LiveItem): readonly Resource[] | undefined {
    const items = this.#items.get(kind);
    if (items === undefined) return undefined;
    let known = this.#inside.get(kind);
    if (known === undefined) {
      const holderIdOf = (item: LiveItem) => holderOf(item, holder.kind)?.id;
      known = grouped(items, holderIdOf, ({ resource }) => resource);
      this.#inside.set(kind, known);
    }
    return known.get(holder.id) ?? [];
  }

  /** The teams of a member, as its memberships show them. */
  #teamsOf(userId: string | undefined): readonly Resource[] | undefined {
    const memberships = this.#items.get('memberships');
    if (memberships === undefined || this.#item('people', userId) === undefined) return undefined;
    const teamOf = ({ parent, resource }: LiveItem) => ({ team: parent?.resource, member: resource.team });
    this.#teams ??= grouped(memberships, ({ id }) => id, teamOf);
    return this.#teams.get(userId ?? '') ?? [];
  }
}

function grouped(
  items: readonly LiveItem[],
  keyOf: (item: LiveItem) => string | undefined,
  partOf: (item: LiveItem) => Resource,
): ReadonlyMap<string, readonly Resource[]> {
  const groups = new Map<string, Resource[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) addTo(groups, key, partOf(item));
  }
  return groups;
}

/** Whether a query asks for the whole list; collections inside others are in it in any case. */
function isPlain(query: LooseInput['query'] = {}): boolean {
  return Object.entries(query).every(
    ([name, value]) => value === undefined || name === 'limit' || (name === 'nested' && value === true),
  );
}
