import { membershipsOf } from '../files/layout.js';
import { roleField } from '../files/memberships.js';
import type { Reading } from '../files/reading.js';
import type { Address } from '../model.js';
import type { Changes } from './changes.js';

/**
 * The teams of those people of the files whose memberships change.
 * @returns by address of the person, in the order of the file, then by key
 */
export function membershipsAfter(
  reading: Reading,
  changes: Changes,
): Map<Address, [team: string, role: string][]> {
  const kind = membershipsOf(reading.kinds);
  const result = new Map<Address, [string, string][]>();
  if (kind === undefined) return result;
  const more = addedTeams(changes, kind.name);
  const touched = new Set(more.keys());
  const isOne = (address: Address) => address.startsWith(`${kind.name}/`);
  for (const address of [...changes.items.keys(), ...changes.removed]) {
    const item = reading.items.get(address);
    if (item !== undefined && isOne(address)) touched.add(`people/${item.key}`);
  }
  if (touched.size === 0) return result;
  for (const item of reading.items.values()) {
    const person: Address = `people/${item.key}`;
    if (item.kind !== kind.name || !touched.has(person)) continue;
    const list = result.get(person) ?? [];
    result.set(person, list);
    if (changes.removed.has(item.address)) continue;
    const write = changes.items.get(item.address)?.writes.find(({ field }) => field.key === roleField);
    const team = item.parent?.slice('teams/'.length) ?? '';
    list.push([team, String(write === undefined ? item.fields[roleField] : write.value)]);
  }
  for (const [person, teams] of more) result.set(person, [...(result.get(person) ?? []), ...teams.sort()]);
  return result;
}

function addedTeams({ tree, added }: Changes, kind: string): Map<Address, [string, string][]> {
  const found = new Map<Address, [string, string][]>();
  for (const item of added) {
    if (item.kind !== kind) continue;
    const person = tree.names.ofId('people', item.natural ?? '');
    if (person === undefined) continue;
    const list = found.get(person) ?? [];
    found.set(person, list);
    list.push([tree.teamOf(item), String(item.fields[roleField])]);
  }
  return found;
}
