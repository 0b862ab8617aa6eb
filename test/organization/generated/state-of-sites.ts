import { positionAt } from '../../../src/sandbox/positions.js';
import { fold } from '../../../src/sandbox/store/rows.js';
import type { Group, Organization, Place, Section, Site } from './model.js';
import { type Add, idOf, type LiveSpace, madeAt, orgId, pick, type Row } from './rows.js';

/** Sites of a random organization as rows of the sandbox. */

/** @returns the ids of the sites */
export function addSites({ sites }: Organization, spaces: readonly LiveSpace[], add: Add): string[] {
  const basenames = new Namer();
  const proxies = new Namer();
  return sites.map((site, index) => {
    const id = idOf(`site ${index}`);
    const basename = site.basename === null ? null : basenames.free(site.basename);
    const proxy = site.proxy === null ? null : proxies.free(site.proxy);
    add('sites', {
      ...{ id, org_id: orgId, type: site.type, title: site.title, folded: fold(site.title) },
      ...{ visibility: site.visibility, share_key: idOf(`key ${index}`), basename, proxy },
      ...{ published: Number(site.published), adaptive_content: Number(site.adaptive) },
      ...{ adaptive_schema: schemaOf(site), created_at: madeAt(index) },
    });
    new Structure(id, spaces, add).addAll(site);
    return id;
  });
}

/** Names of which no two are the same: `guide`, `guide-2`. */
class Namer {
  readonly #taken = new Set<string>();

  free(name: string): string {
    let free = name;
    for (let number = 2; this.#taken.has(free); number += 1) free = `${name}-${number}`;
    this.#taken.add(free);
    return free;
  }
}

function schemaOf({ claims }: Site): string | null {
  if (claims === null) return null;
  const properties = Object.fromEntries(claims.map((name) => [name, { type: 'boolean' }]));
  return JSON.stringify({ type: 'object', properties, additionalProperties: false });
}

/** Adds groups, sections and spaces of one site; each space once. */
class Structure {
  readonly #site: string;
  readonly #spaces: LiveSpace[];
  readonly #add: Add;
  readonly #paths = new Namer();
  readonly #sections: { row: Row; spaces: number }[] = [];

  constructor(site: string, spaces: readonly LiveSpace[], add: Add) {
    this.#site = site;
    this.#spaces = [...spaces];
    this.#add = add;
  }

  addAll({ structure, default: chosen }: Site): void {
    if ('spaces' in structure) {
      this.#addSpaces(structure.spaces, null, chosen);
      return;
    }
    for (const [index, part] of structure.parts.entries()) {
      if (part.is === 'group') this.#addGroup(part, index);
      else this.#addSection(part, null, index);
    }
    // The platform shows no section first that has no spaces, as long as another one has some.
    const filled = this.#sections.filter(({ spaces }) => spaces > 0);
    const first = pick(filled.length > 0 ? filled : this.#sections, chosen);
    if (first !== undefined) first.row.is_default = 1;
  }

  #addGroup({ title, icon, sections }: Group, index: number): void {
    const id = idOf(`group ${index} ${this.#site}`);
    this.#add('section_groups', { id, site_id: this.#site, title, icon, position: positionAt(index) });
    for (const [at, section] of sections.entries()) this.#addSection(section, id, at);
  }

  #addSection(section: Section, groupId: string | null, index: number): void {
    const { title, icon, description, condition, spaces } = section;
    const id = idOf(`section ${this.#sections.length} ${this.#site}`);
    const row: Row = {
      ...{ id, site_id: this.#site, group_id: groupId, title, icon, description, condition },
      ...{ path: this.#paths.free(section.path), position: positionAt(index) },
      is_default: 0,
    };
    this.#add('sections', row);
    this.#sections.push({ row, spaces: this.#addSpaces(spaces, id, section.default) });
  }

  /** @returns how many there are: a space is on a site once */
  #addSpaces(places: readonly Place[], sectionId: string | null, chosen: number): number {
    const paths = new Namer();
    const shown = places.flatMap((place) => {
      const [space] = this.#spaces.splice(place.space % Math.max(1, this.#spaces.length), 1);
      return space === undefined ? [] : [{ ...place, space }];
    });
    for (const [index, { space, path, condition }] of shown.entries()) {
      this.#add('site_spaces', {
        ...{ id: idOf(`site space ${space.id} ${this.#site}`), site_id: this.#site },
        ...{ section_id: sectionId, space_id: space.id, path: paths.free(path), condition },
        ...{ is_default: Number(index === chosen % shown.length), position: positionAt(index) },
      });
    }
    return shown.length;
  }
}
