import { isObject } from '../../base/values.js';
import type { Address, DesiredItem, KindName } from '../model.js';
import type { FieldChange } from './compare.js';
import { keyOf } from './ids.js';
import { isUnnamedButKept } from './last-space.js';
import type { World } from './world.js';

/**
 * What a site or a section shows first. The platform refuses some items there and passes over others, so that their
 * `default` would be set again by each plan.
 */

const sections: KindName = 'sections';
const spaces: KindName = 'site-spaces';

/** Why an item cannot show first what its file names, and what to do; undefined where it can. */
export function unfitDefault(
  world: World,
  item: DesiredItem,
  { field, after }: FieldChange,
): { message: string; hint: string } | undefined {
  const named = isObject(after) && typeof after.$ref === 'string' ? (after.$ref as Address) : undefined;
  const target = named && world.item(named);
  if (target === undefined || field.last !== true) return undefined;
  if (target.kind === sections) return emptySection(world, target);
  return target.kind === spaces && target.parent !== item.address ? elsewhere(item, target) : undefined;
}

/** A site shows the first section with spaces in place of one without any. */
function emptySection(world: World, target: DesiredItem): { message: string; hint: string } | undefined {
  const { address, key, at } = target;
  if (hasSpaces(world, address)) return undefined;
  const site = address.slice(0, address.lastIndexOf('/') + 1);
  const others = [...world.desired.items.keys()].filter((one) => one.startsWith(site));
  const shown = others.find((one) => hasSpaces(world, one));
  // Where no section has spaces, the site may begin with any of them.
  if (shown === undefined) return undefined;
  return {
    message: `The section ${key} has no spaces, and a site opens with a section that has some.`,
    hint: `Add a space to ${key} in ${at.file}, or write "default: ${keyOf(shown)}".`,
  };
}

/** Whether a section will have spaces: those of the files, and those that no file names and that stay. */
function hasSpaces(world: World, address: Address): boolean {
  const live = world.matched.live.get(address);
  return (
    world.children(address).some(({ kind }) => kind === spaces) ||
    (live !== undefined &&
      world.liveChildren(live).some((one) => one.kind === spaces && isUnnamedButKept(world, one)))
  );
}

/** A section shows a space of its own first, and a site with sections a section. */
function elsewhere(item: DesiredItem, { key, parent, at }: DesiredItem): { message: string; hint: string } {
  const around = parent?.startsWith(`${sections}/`) ? keyOf(parent) : undefined;
  if (item.kind === sections || around === undefined)
    return {
      message: `The space ${key} is not in ${item.address}, so it cannot be its default.`,
      hint: `Write the key of one of its own spaces as "default" in ${at.file}.`,
    };
  return {
    message: `The space ${key} is in a section, and the default of a site with sections is a section.`,
    hint: `Write "default: ${around}" for the site, and "default: ${key}" in that section, in ${at.file}.`,
  };
}
