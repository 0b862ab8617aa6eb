import { pluralOf } from '../../model/resources.js';
import type { Field, Kind } from '../kind.js';
import { type KindName, kindNames } from '../model.js';
import { collections, spaces } from './library.js';
import { memberships, people, saml, teams } from './people.js';
import { customFields, openapi, organization, translations } from './settings.js';
import { groups, sections, siteSpaces, sites } from './sites.js';

const byName: Readonly<Record<KindName, Kind>> = {
  fields: customFields,
  people,
  teams,
  memberships,
  collections,
  spaces,
  openapi,
  translations,
  sites,
  groups,
  sections,
  'site-spaces': siteSpaces,
  saml,
  organization,
};

/** In the order of `kindNames`. */
export const kinds: readonly Kind[] = kindNames.map((name) => byName[name]);

export function kindOf(name: KindName): Kind {
  return byName[name];
}

/** What files can say of a kind, for the guide and the help. */
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
    title: pluralOf(kind.one),
    file: kind.spot.file,
    fields: kind.fields.map(({ key }) => key),
    creates: kind.create !== undefined,
    deletes: kind.remove !== undefined,
    moves: kind.order !== undefined,
    cannot: cannotOf(kind),
    leftOut: kind.leftOut ?? {},
  }));
}

function cannotOf({ cannot = {}, fields }: Kind): string[] {
  const ofFields = fields.flatMap(({ fixed, oneWay }: Field) =>
    [fixed, oneWay?.message].filter((one) => one !== undefined),
  );
  return [...new Set([...Object.values(cannot).map(({ message }) => message), ...ofFields])];
}
