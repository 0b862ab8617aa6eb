import { type BrokenCondition, brokenConditions, claimsDiff } from '../../access/adaptive/breaks.js';
import { ClaimSet } from '../../access/adaptive/claim-schema.js';
import { setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import type { Address, KindName, LiveItem } from '../model.js';
import type { Drafting } from './drafting.js';
import { after } from './guard-changes.js';
import type { Operation } from './operation.js';
import { isInside } from './world.js';

/** The kinds that can have a condition, in the order of the sentences, as conditions call them. */
const kinds = [
  ['sections', 'section'],
  ['site-spaces', 'site-space'],
] as const;

type Part = Parameters<typeof brokenConditions>[1][number];

/** Adds a risk for each condition that a new schema breaks: of what the plan leaves on the site, and of what it adds. */
export function addConditionRisks(drafting: Drafting): void {
  for (const operation of drafting.operations) {
    const { op, live: site, body } = operation;
    if (op !== setAdaptiveSchema || site === undefined) continue;
    const diff = claimsDiff(new ClaimSet(site.fields.schema), new ClaimSet(body?.jsonSchema));
    const parts = kinds.flatMap(([name, kind]) => partsOf(drafting, { site, operation, name, kind }));
    operation.risks.push(...brokenConditions(diff, parts).map(riskOf));
  }
}

interface Wanted {
  site: LiveItem;
  /** The one that sets the schema. */
  operation: Operation;
  name: KindName;
  kind: Part['kind'];
}

function partsOf(drafting: Drafting, { site, operation, name, kind }: Wanted): Part[] {
  const { world, about, creations } = drafting;
  const live = (world.live.items.get(name) ?? []).filter(
    (one) => isInside(one, site) && !isRemoved(drafting, one),
  );
  const staying = live.flatMap((one) => {
    const changed = conditionAfter(about.get(world.nameOf(one)));
    const condition = changed === undefined ? one.fields.condition : changed;
    return partWith(condition, { kind, id: one.id, title: world.callOf(one) });
  });
  const added = [...creations.keys()].flatMap((address) => {
    const item = world.item(address);
    if (item?.kind !== name || !standsIn(drafting, address, operation.address)) return [];
    const condition = conditionAfter(about.get(address));
    return partWith(condition, { kind, id: address, title: item.key });
  });
  return [...staying, ...added];
}

/** @returns undefined where nothing changes it; null where it is cleared */
function conditionAfter(operations: readonly Operation[] | undefined = []): unknown {
  return operations.map((one) => after(one, 'condition')).findLast((value) => value !== undefined);
}

/** Also with what is around it. */
function isRemoved({ removals }: Drafting, live: LiveItem): boolean {
  for (let at: LiveItem | undefined = live; at !== undefined; at = at.parent)
    if (removals.has(at)) return true;
  return false;
}

function standsIn({ world }: Drafting, address: Address, site: Address): boolean {
  for (let at = world.item(address); at !== undefined; at = at.parent && world.item(at.parent))
    if (at.address === site) return true;
  return false;
}

function partWith(condition: unknown, named: Pick<Part, 'kind' | 'id' | 'title'>): Part[] {
  return typeof condition === 'string' ? [{ ...named, path: '', condition }] : [];
}

function riskOf({ kind, title, condition, state, why }: BrokenCondition): string {
  const what = `the ${kind.replace('-', ' ')} ${title}, shown if ${condition}`;
  return state === 'breaks'
    ? `The condition of ${what}, would break: ${why}.`
    : `Whether the condition of ${what}, would break is unknown: ${why}.`;
}
