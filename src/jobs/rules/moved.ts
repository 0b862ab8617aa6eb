import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { type Resource, requestFor } from '../request.js';
import type { Part, Rule } from '../rule.js';
import { bodyOf, picked, type Read, reverts } from './builders.js';
import { placeFields, positionBack, wantedPlace } from './order.js';

/** A move to another parent. The platform does not show the whole place before it. */
export function moved(
  op: AnyOperation,
  { read, why, orders }: Pick<Rule, 'orders'> & { read: Read; why: string },
): Rule {
  return reverts({
    why,
    inOrder: true,
    read,
    ...defined({ orders }),
    passing: placeFields,
    wanted: (input) => defined({ parent: bodyOf(input).parent, ...wantedPlace(input) }),
    // No read shows a place among siblings that the platform does not list.
    tells: (input, before) => Object.keys(wantedPlace(input)).every((side) => side in (before ?? {})),
    back(before, { input }) {
      const body = defined({ parent: before.parent ?? null, position: positionBack(before) });
      const { parent } = bodyOf(input);
      const expect = parent === undefined ? undefined : { parent };
      return { request: requestFor(op, input.path, body), expect };
    },
  });
}

interface Transfer {
  read: Read;
  why: string;
  /** What restores the rest once it is back in its organization. */
  further(before: Resource, input: LooseInput): Part[];
}

/** A transfer to another organization, where it goes to the top level. */
export function transferred(op: AnyOperation, { read, why, further }: Transfer): Rule {
  const wanted = (input: LooseInput) => picked(bodyOf(input), ['organization']);
  return reverts({
    why,
    inOrder: true,
    read,
    passing: placeFields,
    wanted,
    back: (before, { input }) => ({
      request: requestFor(op, input.path, picked(before, ['organization'])),
      expect: wanted(input),
      further: further(before, input),
    }),
  });
}
