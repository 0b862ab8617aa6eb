import type { Kind } from '../kind.js';
import { folded } from '../match-candidates.js';
import type { DesiredItem, LiveItem } from '../model.js';
import { compared, type FieldChange, isUnchanged } from './compare.js';
import { conflict, taken } from './conflicts.js';
import { replace } from './create.js';
import { type Drafting, rankOf } from './drafting.js';
import { isSecret } from './environment.js';
import { placed } from './parents.js';
import { setAll, shownChanges } from './requests.js';

/** Plans the operations that bring a live item in line with the files. */
export function planExisting(drafting: Drafting, kind: Kind, item: DesiredItem, live: LiveItem): void {
  renamedOnPlatform(drafting, kind, item, live);
  if (kind.order === undefined && isUnchanged(drafting.world, kind, item, live)) return;
  const comparison = compared(drafting.world, kind, item, live);
  const place = placed(drafting, kind, item, live, comparison);
  const { changes, applied, unsettled, unread } = comparison;
  for (const field of unread) drafting.unreadField(item, field);
  if (unsettled || changes.length > 0 || place !== undefined)
    drafting.bases.set(item.address, { id: live.id, applied, unsettled });
  if (place === 'anew') {
    replace(drafting, kind, item, live);
    return;
  }
  const possible = changes.flatMap((change) => decided(drafting, kind, item, live, change) ?? []);
  setAll(drafting, kind, item, possible, { rank: rankOf(kind.name, 2), live });
}

/** Returns the change if it will be made; otherwise adds a finding that says why not. */
function decided(
  drafting: Drafting,
  kind: Kind,
  item: DesiredItem,
  live: LiveItem,
  change: FieldChange,
): FieldChange | undefined {
  const cause = taken(drafting, item, change.cause);
  if (cause === 'conflict') {
    conflict(drafting, item, change);
    return undefined;
  }
  if (cause === undefined || !drafting.wants(cause)) return undefined;
  const why = hindrance(drafting, kind, item, live, change);
  if (why === undefined) return { ...change, cause };
  const fields = shownChanges(drafting, [change], true);
  drafting.find(item, { cause, code: 'change', fields, ...why });
  return undefined;
}

function hindrance(
  { world }: Drafting,
  kind: Kind,
  item: DesiredItem,
  live: LiveItem,
  change: FieldChange,
): { message: string; hint?: string } | undefined {
  const { field, after } = change;
  const cannot = kind.cannot?.[`change ${field.key}`];
  if (cannot !== undefined) {
    const more = cannot.more?.(world.live, live);
    const hint = cannot.hint?.(item);
    return {
      message: more === undefined ? cannot.message : `${cannot.message} ${more}`,
      ...(hint !== undefined && { hint }),
    };
  }
  if (field.fixed !== undefined) return { message: field.fixed };
  if (field.oneWay !== undefined && after !== field.oneWay.to) return { message: field.oneWay.message };
  if (field.setBy === undefined && kind.update === undefined)
    return { message: `The platform has no operation that changes ${field.key} of a ${kind.one}.` };
  return unknownOption(world, change);
}

/** A value that is not among the options of its field, as the files or else the platform define them. */
function unknownOption(
  { desired, live, environment }: Drafting['world'],
  { field, key, after }: FieldChange,
): { message: string; hint: string } | undefined {
  if (field.mapOf === undefined || key === undefined) return undefined;
  const known = live.items.get(field.mapOf)?.find(({ natural, id }) => (natural ?? id) === key);
  const { type, options } = { ...known?.fields, ...desired.items.get(`${field.mapOf}/${key}`)?.fields };
  if ((type !== 'select' && type !== 'multiselect') || !Array.isArray(options)) return undefined;
  const values: unknown[] = [environment.resolved(after)].flat();
  const unknown = values.filter((value) => value !== '' && value !== null && !options.includes(value));
  if (unknown.length === 0) return undefined;
  const names = isSecret(after) ? 'the value of its variable' : unknown.map(String).join(', ');
  return {
    message: `The custom field ${key} does not have the option ${names}.`,
    hint: `Choose from ${options.join(', ')}, or add the option in fields.yaml.`,
  };
}

/** Reports a natural key that differs on the platform although the lock identifies the item. */
function renamedOnPlatform(drafting: Drafting, kind: Kind, item: DesiredItem, live: LiveItem): void {
  if (kind.key === 'own' || kind.names !== undefined || live.natural === undefined) return;
  if (live.natural === item.key || folded(live.natural) === folded(item.key)) return;
  const { field } = kind.key;
  drafting.find(item, {
    code: 'change',
    message: `${item.address} has the ${field} ${live.natural} on the platform, and no operation changes it.`,
    hint: `Write ${live.natural} in ${item.at.file}, with "was: ${item.key}".`,
    fields: { [field]: { before: live.natural, after: item.key } },
  });
}
