import { transferCollection } from '../../../api/resources/collections.js';
import { transferSpace } from '../../../api/resources/spaces.js';
import { requestFor } from '../../../jobs/request.js';
import { type Step, stepOf } from '../../../jobs/step.js';
import type { Moved } from './moved.js';

/**
 * The requests of a transfer, one for each thing that was named, in that order: spaces one at a time, a collection
 * with everything in it at once. Only so do its spaces keep their collection, and the levels they have by it.
 * Each expects its thing where it was when the impact was read.
 */
export function transferSteps({ things, spaces, collections }: Moved, from: string, to: string): Step[] {
  const spaceById = new Map(spaces.map((space) => [space.id, space]));
  return things.map(({ object, id }, item) => {
    const body = { organization: to };
    if (object === 'collection') {
      const expect = { organization: from, parent: collections.get(id)?.parent ?? null };
      return stepOf(requestFor(transferCollection, { collectionId: id }, body), item, { expect });
    }
    const { parent = null, visibility, defaultLevel } = spaceById.get(id) ?? {};
    const expect = { organization: from, parent, visibility, defaultLevel };
    return stepOf(requestFor(transferSpace, { spaceId: id }, body), item, { expect });
  });
}
