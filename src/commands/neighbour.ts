import type { FlagChange } from './command.js';

/**
 * `--before` and `--after` among spaces and collections: an id of the usual kind, or
 * `space:<id>`, `collection:<id>` for a neighbour of the other.
 */
export function neighbour(usual: 'space' | 'collection'): FlagChange {
  return {
    value: '<id>',
    description: `Neighbour: id of a ${usual}, or space:<id>, collection:<id>`,
    parse(typed) {
      const [, kind = usual, id] = /^(?:(space|collection):)?(.+)$/s.exec(String(typed)) ?? [];
      if (id === undefined) throw new Error('must be an id');
      return { type: kind, [kind]: id };
    },
  };
}
