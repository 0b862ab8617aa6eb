import type { Field, Kind } from '../kind.js';
import type { KindName } from '../model.js';
import { kinds } from './index.js';

/** What files can say of each kind, for the guide and the help. */

export interface KindRow {
  kind: KindName;
  /** In the plural, as people say it: `SAML providers`. */
  title: string;
  /** `sites/*.yaml`. */
  file: string;
  /** Keys of the fields in files. */
  fields: readonly string[];
  creates: boolean;
  deletes: boolean;
  /** Whether it can be put in another place among its siblings. */
  moves: boolean;
  /** What no operation does: a sentence each. */
  cannot: readonly string[];
  /** What no file has, and why. */
  leftOut: Readonly<Record<string, string>>;
}

/** A row for each kind, in the order in which they are created. */
export function kindTable(): KindRow[] {
  return kinds.map((kind) => ({
    kind: kind.name,
    title: inPlural(kind),
    file: kind.spot.file,
    fields: kind.fields.map(({ key }) => key),
    creates: kind.create !== undefined,
    deletes: kind.remove !== undefined,
    moves: kind.order !== undefined,
    cannot: cannotOf(kind),
    leftOut: kind.leftOut ?? {},
  }));
}

/** `SAML providers`; `translation settings` are that already. */
export function inPlural({ one }: Pick<Kind, 'one'>): string {
  return one.endsWith('s') ? one : `${one}s`;
}

function cannotOf({ cannot = {}, fields }: Kind): string[] {
  const ofFields = fields.flatMap(({ fixed, oneWay }: Field) =>
    [fixed, oneWay?.message].filter((one) => one !== undefined),
  );
  return [...new Set([...Object.values(cannot).map(({ message }) => message), ...ofFields])];
}
