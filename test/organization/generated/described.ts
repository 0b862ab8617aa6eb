import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type ScalarTag } from 'yaml';
import { snapshot } from './files.js';
import { orgId, type Row, type Tables } from './rows.js';

/**
 * An organization in plain words, from the tables of the platform and from the files: both must say the same.
 * Things without a key of their own are named by their titles; what is not set is left out.
 */

type Plain = Record<string, unknown>;

export interface Described {
  organization: Plain;
  people: unknown;
  teams: unknown;
  fields: unknown;
  library: unknown;
  sites: unknown;
  openapi: unknown;
  translations: unknown;
  saml: unknown;
}

/** Without what is not set. */
function plain(values: Plain): Plain {
  const isSet = (value: unknown) =>
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value)));
}

const sorted = (list: readonly unknown[]): unknown[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const json = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined);
const word = (role: unknown): unknown => role ?? 'guest';
const byPosition = (a: Row, b: Row) => (String(a.position) < String(b.position) ? -1 : 1);

/** From an export. */
export function describedState(state: string): Described {
  const { tables } = JSON.parse(state) as { tables: Tables };
  return new OfTables(tables).described();
}

class OfTables {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  described(): Described {
    const [org = {}] = (this.#tables.organizations ?? []).filter(({ id }) => id === orgId);
    return {
      organization: plain({
        ...{ title: org.title, email_domains: sorted(json(org.email_domains) as string[]) },
        ...{ hostname: org.hostname, default_role: word(org.default_role) },
        ...{ default_site: this.#title('sites', org.default_site) },
        ...{ sso: org.sso === 1, ai: org.ai === 1, invite_links: org.invite_links === 1 },
      }),
      people: sorted(this.#rows('members').map((row) => this.#person(row))),
      teams: sorted(this.#rows('teams').map(({ title }) => title)),
      fields: sorted(this.#rows('custom_fields').map(fieldOf)),
      library: this.#contents(null),
      sites: sorted(this.#rows('sites').map((row) => this.#site(row))),
      openapi: sorted(
        this.#rows('openapi_specs').map(({ slug, source_url }) => plain({ slug, url: source_url })),
      ),
      translations: sorted(this.#rows('translations').map(({ title }) => title)),
      saml: sorted(this.#rows('saml_providers').map((row) => this.#provider(row))),
    };
  }

  #rows(table: string): Row[] {
    const rows = this.#tables[table] ?? [];
    return rows.filter((row) => row.org_id === orgId && (row.deleted_at ?? null) === null);
  }

  #title(table: string, id: unknown): unknown {
    return (this.#tables[table] ?? []).find((row) => row.id === id)?.title;
  }

  #person({ user_id, role, sso }: Row): Plain {
    const email = (this.#tables.users ?? []).find(({ id }) => id === user_id)?.email;
    const own = this.#rows('team_members').filter((row) => row.user_id === user_id);
    const teams = own.map((row) => `${this.#title('teams', row.team_id)} ${row.role}`).sort();
    return plain({ email, role: word(role), ...(sso === 1 && { sso: true }), teams });
  }

  #contents(parent: string | null): Plain {
    const inside = (table: string) =>
      this.#rows(table).filter(({ parent_id }) => (parent_id ?? null) === parent);
    const collections = inside('collections').sort(byPosition);
    const spaces = inside('spaces')
      .sort(byPosition)
      .map((row) => this.#space(row));
    return plain({
      collections: collections.map(({ id, title, description, default_level }) =>
        plain({ title, description, level: default_level, contents: this.#contents(String(id)) }),
      ),
      // At the top level the platform shows no order.
      spaces: parent === null ? sorted(spaces) : spaces,
    });
  }

  #space({ id, title, edit_mode, default_level, emoji }: Row): Plain {
    const values = (this.#tables.space_field_values ?? []).filter(({ space_id }) => space_id === id);
    const named = values.map(({ field_id, value }) => {
      const field = this.#rows('custom_fields').find((row) => row.id === field_id);
      return `${field?.name} ${value}`;
    });
    return plain({ title, edit_mode, level: default_level, emoji, values: named.sort() });
  }

  #provider(row: Row): Plain {
    const { label, entity_id, certificate, sso_url, default_team, default_role } = row;
    const team = this.#title('teams', default_team);
    return plain({ label, entity_id, certificate, sso_url, team, role: word(default_role) });
  }

  #site(row: Row): Plain {
    const { id, type, title, visibility, basename, proxy, adaptive_content, adaptive_schema } = row;
    return plain({
      ...{ type, title, visibility, basename, proxy, adaptive: adaptive_content === 1 },
      ...{ schema: json(adaptive_schema), structure: this.#structure(id) },
    });
  }

  #structure(site: unknown): unknown[] {
    const ofSite = (table: string) => (this.#tables[table] ?? []).filter(({ site_id }) => site_id === site);
    const live = new Set(this.#rows('spaces').map(({ id }) => id));
    const places = ofSite('site_spaces').filter(({ space_id }) => live.has(space_id ?? ''));
    const spacesOf = (section: unknown) =>
      places
        .filter(({ section_id }) => (section_id ?? null) === section)
        .sort(byPosition)
        .map(({ space_id, path, condition }) =>
          plain({ space: this.#title('spaces', space_id), path, condition }),
        );
    const sections = ofSite('sections');
    const sectionOf = ({ id, title, path, icon, description, condition }: Row) =>
      plain({ section: title, path, icon, description, condition, spaces: spacesOf(id) });
    const groupOf = ({ id, title, icon }: Row) => {
      const own = sections.filter(({ group_id }) => group_id === id).sort(byPosition);
      return plain({ group: title, icon, sections: own.map(sectionOf) });
    };
    const groups = ofSite('section_groups');
    const filled = groups.filter(({ id }) => sections.some(({ group_id }) => group_id === id));
    const top = [...filled, ...sections.filter(({ group_id }) => (group_id ?? null) === null)].sort(
      byPosition,
    );
    // The platform shows no place of a group without sections.
    const empty = sorted(groups.filter((each) => !filled.includes(each)).map(groupOf));
    return [
      ...top.map((each) => (groups.includes(each) ? groupOf(each) : sectionOf(each))),
      ...empty,
      ...spacesOf(null),
    ];
  }
}

function fieldOf({ name, type, title, description, placeholder, options }: Row): Plain {
  return plain({ name, type, title, description, placeholder, options: json(options) });
}

/** From the files of a folder. */
export function describedFiles(folder: string): Described {
  return new OfFiles(folder).described();
}

class OfFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  described(): Described {
    const top = this.#read('org.yaml').organization as Plain;
    return {
      organization: plain({
        ...top,
        email_domains: sorted((top.email_domains ?? []) as string[]),
        default_site: this.#siteTitle(top.default_site),
      }),
      people: sorted(this.#list('people.yaml', 'people').map((one) => this.#person(one))),
      teams: sorted(this.#list('teams.yaml', 'teams').map(({ title }) => title)),
      fields: sorted(this.#list('fields.yaml', 'fields').map(plain)),
      library: this.#contents(this.#list('library.yaml', 'library'), true),
      sites: sorted(this.#siteFiles().map((file) => this.#site(file))),
      openapi: sorted(this.#list('openapi.yaml', 'specs').map(({ slug, url }) => plain({ slug, url }))),
      translations: sorted(this.#list('translations.yaml', 'translations').map(({ title }) => title)),
      saml: sorted(this.#list('saml.yaml', 'providers').map((one) => this.#provider(one))),
    };
  }

  #read(file: string): Plain {
    const inFolder = join(this.#folder, file, '..');
    const customTags: ScalarTag[] = [
      // A file ends in a newline that is not of its text.
      { tag: '!file', resolve: (path) => readFileSync(join(inFolder, path), 'utf8').replace(/\n$/, '') },
      { tag: '!env', resolve: (name) => ({ $env: name }) },
    ];
    const text = snapshot(this.#folder).get(file) ?? '{}';
    return (parse(text, { customTags }) ?? {}) as Plain;
  }

  #list(file: string, key: string): Plain[] {
    return (this.#read(file)[key] ?? []) as Plain[];
  }

  #siteFiles(): string[] {
    return [...snapshot(this.#folder).keys()].filter((file) => /^sites\/[^/]+\.yaml$/.test(file));
  }

  #siteTitle(key: unknown): unknown {
    if (typeof key !== 'string') return undefined;
    return (this.#read(`sites/${key}.yaml`).site as Plain).title;
  }

  #teamTitle(key: unknown): unknown {
    return this.#list('teams.yaml', 'teams').find((team) => team.key === key)?.title;
  }

  #person({ email, role, sso, teams = [] }: Plain): Plain {
    const roles = Array.isArray(teams) ? teams.map((key) => [key, 'member']) : Object.entries(teams as Plain);
    const titles = roles.map(([key, own]) => `${this.#teamTitle(key)} ${own}`).sort();
    return plain({ email, role, ...(sso === true && { sso }), teams: titles });
  }

  #contents(nodes: readonly Plain[], isTop = false): Plain {
    const collections = nodes.filter((node) => node.collection !== undefined);
    const spaces = nodes.filter((node) => node.space !== undefined).map(spaceOf);
    return plain({
      collections: collections.map(({ title, description, default_level, contents = [] }) => {
        const inside = this.#contents(contents as Plain[]);
        return plain({ title, description, level: noneAsNull(default_level), contents: inside });
      }),
      spaces: isTop ? sorted(spaces) : spaces,
    });
  }

  #provider({ key: _, default_team, default_role, ...rest }: Plain): Plain {
    return plain({ ...rest, team: this.#teamTitle(default_team), role: default_role });
  }

  #site(file: string): Plain {
    const { site, structure = [] } = this.#read(file) as { site: Plain; structure?: Plain[] };
    const { default: _, adaptive_content: adaptive, schema, ...rest } = site;
    return plain({ ...rest, adaptive, schema: json(schema), structure: this.#structure(structure) });
  }

  #structure(parts: readonly Plain[]): unknown[] {
    const all = parts.map(({ group, section, space, title, default: _, ...rest }) => {
      if (space !== undefined) return plain({ space: this.#spaceTitle(space), ...rest });
      const inside = Object.fromEntries(
        (['sections', 'spaces'] as const).map((key) => [key, this.#structure((rest[key] ?? []) as Plain[])]),
      );
      return plain(
        group === undefined ? { section: title, ...rest, ...inside } : { group: title, ...rest, ...inside },
      );
    });
    const isEmpty = (one: Plain) => one.group !== undefined && one.sections === undefined;
    return [...all.filter((one) => !isEmpty(one)), ...sorted(all.filter(isEmpty))];
  }

  #spaceTitle(key: unknown): unknown {
    const find = (nodes: readonly Plain[]): Plain | undefined => {
      for (const node of nodes) {
        const found = node.space === key ? node : find((node.contents ?? []) as Plain[]);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return find(this.#list('library.yaml', 'library'))?.title;
  }
}

function spaceOf({ title, edit_mode, default_level, emoji, fields = {} }: Plain): Plain {
  const values = Object.entries(fields as Plain).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return plain({ title, edit_mode, level: noneAsNull(default_level), emoji, values: values.sort() });
}

const noneAsNull = (level: unknown): unknown => (level === 'none' ? null : level);
