import { isObject } from '../base/values.js';
import { same, shownValue } from '../jobs/state.js';
import { pluralOf } from '../model/resources.js';
import type { Kind } from '../organization/kind.js';
import { kinds } from '../organization/kinds/index.js';
import { essenceOf } from '../workflows/backup/diff/essence.js';
import { pairsOf } from './counts.js';
import { restoring } from './kinds.js';
import type { Facts, Lack } from './lack.js';
import { type Part, partOf } from './parts.js';

/** Fields that the platform shows and no operation sets, as the declarations have them, where they differ. */

/** What the platform decides by itself, places and names that a restore sets by other means, and other resources. */
const others: ReadonlySet<string> = new Set([
  ...['object', 'id', 'name', 'slug', 'organization', 'parent', 'permissions', 'revision', 'deletedAt'],
  ...['user', 'team', 'space', 'siteSpaces', 'section', 'sections', 'sectionGroup', 'default', 'service'],
  ...['processingState', 'lastProcessedAt', 'lastProcessErrorCode', 'hasAdvancedCustomizationFeature'],
  ...['billing', 'trial', 'blocked', 'ads', 'features', 'internal_isOnNewTrial', 'internal_billingMigration'],
]);

/** The most items that a sentence names. */
const mostNamed = 5;

/** One lack for each field, which names the items with both values. */
export function unsetLacks({
  saved,
  live,
  parts,
}: Pick<Facts, 'saved' | 'live'> & { parts: ReadonlySet<Part> }): Lack[] {
  return kinds
    .filter(({ name }) => parts.has(partOf[name]))
    .flatMap((kind) =>
      unsetFields(kind).flatMap((field) => {
        const differing = pairsOf(kind.name, saved, live).flatMap(([{ title, resource }, now]) => {
          const [before, after] = [resource, now?.resource].map((one) => valueIn(one, field));
          if (now === undefined || same(before, after)) return [];
          return [`${title} (${shownValue(before)} → ${shownValue(after)})`];
        });
        return differing.length === 0 ? [] : [lackOf(kind, field, differing)];
      }),
    );
}

function lackOf(kind: Kind, field: string, differing: readonly string[]): Lack {
  const rest = differing.length - mostNamed;
  const named = [...differing.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])];
  return {
    what: `${words(field)} of ${pluralOf(kind.one)}`,
    why: `No operation sets it: ${named.join(', ')}.`,
    of: { kind: kind.name, fields: [field] },
    count: () => differing.length,
  };
}

function valueIn(resource: unknown, field: string): unknown {
  const essence = essenceOf(resource);
  return isObject(essence) ? essence[field] : undefined;
}

/** The declared fields of what a kind's list shows, without those that a restore sets and those of the table. */
function unsetFields({ name, fields, reads: [list] }: Kind): string[] {
  if (list === undefined || list.returns.kind === 'none') return [];
  const shape = list.returns.kind === 'page' ? list.returns.item : list.returns.schema;
  const known = new Set([
    ...fields.flatMap(({ key, name: own, sends = [] }) => [key, own, ...sends]),
    ...told.flatMap(({ of }) => (of?.kind === name ? of.fields : [])),
  ]);
  const declared: unknown = shape.properties;
  if (!isObject(declared)) return [];
  return Object.keys(declared).filter((field) => !known.has(field) && !others.has(field));
}

const told: readonly Lack[] = Object.values(restoring).flatMap(({ cannot = [] }) => cannot);

/** `gitSync` as `git sync`. */
function words(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
