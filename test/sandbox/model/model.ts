/** The platform as a handful of maps: what must hold after any sequence of operations. */

export interface TeamModel {
  title: string;
  members: Map<string, 'owner' | 'member'>;
}

export interface SpaceModel {
  title: string;
  parent: string | undefined;
  deleted: boolean;
  /** Status by change request. */
  changeRequests: Map<string, string>;
  /** Whether resolved, and number of replies, by comment. */
  comments: Map<string, { resolved: boolean; replies: number }>;
}

export interface Model {
  members: string[];
  teams: Map<string, TeamModel>;
  /** Parent by collection; undefined at the top. */
  collections: Map<string, string | undefined>;
  spaces: Map<string, SpaceModel>;
}

/** Whether a collection is another one or is nested in it. */
export function isInside(model: Model, collection: string | undefined, outer: string): boolean {
  for (let at = collection; at !== undefined; at = model.collections.get(at)) if (at === outer) return true;
  return false;
}

/** The children of a deleted collection move to its parent (platform-facts). */
export function dropCollection(model: Model, id: string): void {
  const parent = model.collections.get(id);
  model.collections.delete(id);
  for (const [child, of] of model.collections) if (of === id) model.collections.set(child, parent);
  for (const space of model.spaces.values()) if (space.parent === id) space.parent = parent;
}

export function countStatus(space: SpaceModel, status: string): number {
  return [...space.changeRequests.values()].filter((held) => held === status).length;
}
