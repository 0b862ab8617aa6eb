import { type TSchema, Type } from '../../api/type.js';
import { withNearest } from '../../files/yaml/mistake.js';
import { isMap, isScalar, type Node } from '../../files/yaml/node.js';
import type { Guards, Manage, Scope } from '../model.js';
import { joined } from './reading.js';
import { mistaken, type Spot } from './spot.js';
import { checkValues, inputOf, plain } from './values.js';

/** What files say about themselves: what is managed, and the guards. */

export const manages = ['none', 'additive', 'exact'] as const satisfies readonly Manage[];
export const manageSchema: TSchema = Type.Unsafe<Manage>({
  type: 'string',
  enum: [...manages],
  default: 'additive',
  description:
    'What happens to items that the file does not name: none and additive leave them alone (none also keeps pull from adding them); exact removes them with --prune',
});

export const guardsSchema = Type.Object(
  {
    min_admins: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 2,
        description: 'How many admins there must be after every apply',
      }),
    ),
    required_admins: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'Emails of people who stay admins' }),
    ),
    require_self: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether whoever applies must stay an admin' }),
    ),
    max_removals: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^(?:100|[0-9]{1,2})%$' })], {
        default: '25%',
        description: 'How many items of a kind one apply may remove: a count, or a share such as 25%',
      }),
    ),
  },
  { additionalProperties: false, description: 'Checked before anything is changed' },
);

const guardsInput = inputOf('guards', { ...guardsSchema, additionalProperties: true });

export function readGuards(spot: Spot, node: Node): Guards {
  if (!isMap(node)) return mistaken(spot, node, 'must be keys with values, such as "min_admins: 2"') ?? {};
  const { reading, parsed, path } = spot;
  reading.onlyKnown(parsed, node, path, Object.keys(guardsSchema.properties));
  const values = plain(spot, node, guardsSchema) as Record<string, unknown>;
  for (const key of checkValues(spot, node, guardsInput, values)) delete values[key];
  const { min_admins, required_admins, require_self, max_removals } = values;
  return {
    ...(typeof min_admins === 'number' && { minAdmins: min_admins }),
    ...(Array.isArray(required_admins) && { requiredAdmins: required_admins as string[] }),
    ...(typeof require_self === 'boolean' && { requireSelf: require_self }),
    ...(typeof max_removals === 'number' && { maxRemovals: { count: max_removals } }),
    ...(typeof max_removals === 'string' && {
      maxRemovals: { share: Number.parseInt(max_removals, 10) / 100 },
    }),
  };
}

/** @param node absent: additive */
export function readManage(spot: Spot, node: Node | undefined): Manage {
  if (node === undefined) return 'additive';
  const found = isScalar(node) && node.tag === undefined ? node.value : undefined;
  const known = manages.find((one) => one === found);
  if (known !== undefined) return known;
  const words = `must be one of ${manages.join(', ')}`;
  const near = typeof found === 'string' ? withNearest(words, found, manages) : { message: words };
  spot.reading.mistake(spot.reading.place(spot.parsed, node.start, spot.path), near);
  return 'additive';
}

/** `sites: {manage: additive}` of org.yaml. */
export function readScope(spot: Spot, node: Node): Pick<Scope, 'manage'> {
  if (!isMap(node)) {
    mistaken(spot, node, 'must be keys with values, such as "manage: additive"');
    return { manage: 'additive' };
  }
  spot.reading.onlyKnown(spot.parsed, node, spot.path, ['manage']);
  const path = joined(spot.path, 'manage');
  return { manage: readManage({ ...spot, path }, node.entries.get('manage')?.value) };
}
