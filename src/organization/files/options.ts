import { withNearest } from '../../files/yaml/mistake.js';
import { isMap } from '../../files/yaml/node.js';
import { readLock } from '../../plans/lock.js';
import type { Field } from '../kind.js';
import type { Address, DesiredItem } from '../model.js';
import { valueHash } from '../value.js';
import { joined, type Reading } from './reading.js';

/** Values of fields with options, such as those of a space: they are among the options, where files name those. */

/** Reports those that are not. What was once applied stays: the platform may keep values of former options. */
export function checkOptions(reading: Reading): void {
  const unknown = [...unknownOptions(reading)];
  if (unknown.length === 0) return;
  const lock = readLock(reading.folder);
  for (const { item, field, key, value, wrong, options } of unknown) {
    const applied = lock?.items[item.address]?.applied[`${field.key}.${key}`];
    if (applied !== undefined && applied === valueHash(value)) continue;
    const node = reading.nodes.get(item.address);
    const map = node?.map.entries.get(field.key)?.value;
    const start = isMap(map) ? map.entries.get(key)?.value.start : undefined;
    const path = joined(joined(item.at.path, field.key), key);
    const place =
      node && start !== undefined ? reading.place(node.parsed, start, path) : { ...item.at, path };
    const message = `must be one of the options of the field: ${options.join(', ')}`;
    reading.mistake(place, withNearest(message, wrong, options));
  }
}

interface Unknown {
  item: DesiredItem;
  field: Field;
  key: string;
  value: unknown;
  wrong: string;
  options: readonly string[];
}

function* unknownOptions({ items, kinds }: Reading): Generator<Unknown> {
  const withMaps = kinds.flatMap((kind) => kind.fields.map((field) => ({ kind, field })));
  for (const { kind, field } of withMaps.filter((one) => one.field.mapOf !== undefined)) {
    for (const item of items.values()) {
      const values = item.kind === kind.name ? item.fields[field.key] : undefined;
      for (const [key, value] of Object.entries(values ?? {})) {
        const options = optionsOf(items.get(`${field.mapOf}/${key}` as Address));
        const wrong =
          options &&
          [value].flat().find((one) => typeof one === 'string' && one !== '' && !options.includes(one));
        if (options !== undefined && wrong !== undefined) yield { item, field, key, value, wrong, options };
      }
    }
  }
}

function optionsOf(item: DesiredItem | undefined): string[] | undefined {
  const { type, options } = item?.fields ?? {};
  if ((type !== 'select' && type !== 'multiselect') || !Array.isArray(options)) return undefined;
  return options.every((one) => typeof one === 'string') ? options : undefined;
}
