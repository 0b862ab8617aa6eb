import { actionsOf, type ImpactAction } from '../../access/impact/shapes.js';

import {
  allResources,
  type ObjectName,
  type RenameField,
  type Resource,
  type ResourceName,
  renameFields,
  resources,
} from '../../model/resources.js';

/** What an impact can be asked about: the words for it, and the actions that its operations allow. */

export interface ImpactKind {
  /** As the group is called for one: `docs section-group`. */
  word: string;
  object: ObjectName;
  /** The resource, where titles and addresses can name it. */
  kind?: ResourceName;
  /** What its path needs beside its id; `changeRequestId` only where it is given. */
  within: readonly ('siteId' | 'spaceId' | 'changeRequestId')[];
  actions: readonly ImpactAction[];
  renames: readonly RenameField[];
}

/** The first in the help. */
const names: readonly string[] = [
  ...['space', 'collection', 'site', 'section', 'section-group', 'site-space', 'team', 'member'],
  ...['custom-field', 'openapi-spec', 'saml-provider', 'translation', 'invite', 'comment', 'organization'],
];

function placeOf({ name }: Resource): number {
  return names.includes(name) ? names.indexOf(name) : names.length;
}

/** Test: test/commands/impact.test.ts compares the actions with the declared operations. */
export const impactKinds: readonly ImpactKind[] = allResources
  .filter((resource) => actionsOf(resource).length > 0)
  .toSorted((one, other) => placeOf(one) - placeOf(other))
  .map(kindOf);

function kindOf(resource: Resource): ImpactKind {
  const { name, printed, parents, renames } = resource;
  return {
    word: printed.impact,
    object: printed.object as ObjectName,
    ...(name in resources && { kind: name as ResourceName }),
    within: [
      ...(['siteId', 'spaceId'] as const).filter((parent) => parents.includes(parent)),
      // A comment is on a space, or on a change request of it.
      ...(name === 'comment' ? (['changeRequestId'] as const) : []),
    ],
    actions: actionsOf(resource),
    renames,
  };
}

/** The words for what an action can be done to. */
export function wordsFor(action: ImpactAction): string[] {
  return impactKinds.filter(({ actions }) => actions.includes(action)).map(({ word }) => word);
}

/** The resources by word, for completion. */
export const kindsOf: Readonly<Record<string, ResourceName>> = Object.fromEntries(
  impactKinds.flatMap(({ word, kind }) => (kind === undefined ? [] : [[word, kind] as const])),
);

/** Which kinds each flag of `rename` is for; in the order of the flags. */
export const renameFlags: readonly (readonly [flag: RenameField, words: readonly string[]])[] =
  renameFields.map((flag) => [
    flag,
    impactKinds.filter(({ renames }) => renames.includes(flag)).map(({ word }) => word),
  ]);
