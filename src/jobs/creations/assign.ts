import type { Resource } from '../request.js';

/** Which of the new resources were made by which of the creations whose answers were lost. */

export interface Lost {
  /** Index in the job. */
  item: number;
  /** Equal for creations that sent the same: they are interchangeable. */
  input: string;
  /** New resources that are what it would have made, by id. */
  like: ReadonlyMap<string, Resource>;
  /** Resources that it may have made; nothing proves it. */
  perhaps: ReadonlyMap<string, Resource>;
}

export type Verdict =
  | { is: 'done'; resource: Resource }
  | { is: 'not-done' }
  /** Several stories are possible. @param candidates all that it may have made */
  | { is: 'unknown'; candidates: string[] };

interface Group {
  lost: Lost[];
  like: Set<string>;
}

/**
 * Settles creations by what is new. Of k equal ones with n new resources like them, n are done and the others
 * are not; with more than k nothing shows which are theirs. The same where a resource is like creations that
 * differ, unless one of them has fewer to choose from: what fits more closely belongs to it.
 */
export function assign(all: readonly Lost[]): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  const taken = new Set<string>();
  const sure = new Set(all.flatMap(({ like }) => [...like.keys()]));
  const groups = groupsOf(all).sort((a, b) => a.like.size - b.like.size);
  for (const group of groups) {
    for (const id of taken) group.like.delete(id);
    const doubt = group.lost.some(({ perhaps }) => [...perhaps.keys()].some((id) => !sure.has(id)));
    const shared = groups.some((other) => other !== group && isRival(group, other));
    const found = doubt || shared ? undefined : pairs(group);
    for (const one of group.lost) {
      const resource = found?.get(one.item);
      if (found === undefined)
        verdicts.set(one.item, { is: 'unknown', candidates: candidatesOf(one, taken) });
      else verdicts.set(one.item, resource === undefined ? { is: 'not-done' } : { is: 'done', resource });
    }
    if (found !== undefined) for (const id of group.like) taken.add(id);
  }
  return verdicts;
}

function groupsOf(all: readonly Lost[]): Group[] {
  const groups = new Map<string, Group>();
  for (const lost of all) {
    const group = groups.get(lost.input) ?? { lost: [], like: new Set() };
    group.lost.push(lost);
    for (const id of lost.like.keys()) group.like.add(id);
    groups.set(lost.input, group);
  }
  return [...groups.values()];
}

/** Whether two groups could have made the same resource, and nothing shows to which it is closer. */
function isRival({ like }: Group, other: Group): boolean {
  const common = [...like].filter((id) => other.like.has(id));
  return common.length > 0 && !(common.length === like.size && other.like.size > like.size);
}

/** A resource for each creation of a group, as far as they go; undefined where some are left over. */
function pairs({ lost, like }: Group): Map<number, Resource> | undefined {
  const free = new Set(like);
  const found = new Map<number, Resource>();
  // Those sent later knew more resources, so fewer are new to them.
  const byChoice = [...lost].sort((a, b) => a.like.size - b.like.size);
  for (const one of byChoice) {
    const [id] = [...one.like.keys()].filter((each) => free.has(each));
    const resource = id === undefined ? undefined : one.like.get(id);
    if (id === undefined || resource === undefined) continue;
    free.delete(id);
    found.set(one.item, resource);
  }
  return free.size === 0 ? found : undefined;
}

function candidatesOf({ like, perhaps }: Lost, taken: ReadonlySet<string>): string[] {
  return [...like.keys(), ...perhaps.keys()].filter((id) => !taken.has(id));
}
