import { getPublishedSite } from '../../api/resources/published-sites.js';
import {
  addSectionToGroup,
  createSection,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { updateSite } from '../../api/resources/sites.js';
import { duplicateSpace, updateSpace } from '../../api/resources/spaces.js';
import {
  type Amount,
  type Change,
  changeId,
  findReferences,
  type Reference,
  requestFor,
} from '../../jobs/change.js';
import type { ChangeDraft } from '../../plans/plan.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { defaultOf, type Origin } from './site.js';
import type { VersionSpace, VersionState } from './version.js';

/** The changes of a release: duplicate, attach, verify, then flip the default. */

export interface Cut extends VersionState {
  organizationId: string;
  site: SiteContent;
  origin: Origin;
  version: string;
  path: string;
  makeDefault: boolean;
  /** How long each change waits for the platform to show what an earlier one made, in milliseconds. */
  waitMs: number;
}

type Id = string | Reference;

/** A copy, and the drafts that must succeed before it is put on the site. */
interface Copy {
  part: VersionSpace;
  space: Id;
  after: readonly number[];
}

/** A request whose path may name what an earlier draft makes. */
function request(op: Change['op'], path: Readonly<Record<string, Id>>, body?: object): Change {
  return requestFor(op, path as Readonly<Record<string, string>>, body);
}

/** The drafts of a cut, in their order; empty where all is there. */
export function draftsOfCut(cut: Cut): ChangeDraft[] {
  return new Drafting(cut).all();
}

class Drafting {
  readonly #cut: Cut;
  readonly #drafts: ChangeDraft[] = [];
  readonly #path: { organizationId: string; siteId: string };
  /** The section of the version: beside its source, or its own. */
  #section: Id | undefined;
  /** The last draft that gave a site space its path. */
  #placed: number | undefined;
  /** The site spaces of the version, in their order. */
  readonly #siteSpaces: Id[] = [];

  constructor(cut: Cut) {
    this.#cut = cut;
    const { organizationId, site } = cut;
    this.#path = { organizationId, siteId: site.site.id };
  }

  all(): ChangeDraft[] {
    const { parts, origin, section } = this.#cut;
    const copies = parts.map((part) => this.#copy(part));
    this.#section = origin.kind === 'space' ? origin.siteSpace.section : section?.id;
    for (const copy of copies) this.#attach(copy);
    if (origin.kind === 'section') this.#arrangeSection();
    const flip = this.#flip();
    if (this.#drafts.length === 0 && flip === undefined) return [];
    this.#verify(copies);
    if (flip !== undefined) this.#add({ ...flip, change: { ...flip.change, after: [this.#last] } });
    return this.#drafts;
  }

  /** @returns its place */
  #add(draft: ChangeDraft): number {
    const { change } = draft;
    const isOfMade = findReferences([change.input, change.proves]).length > 0;
    const own = isOfMade ? { ...draft, change: { ...change, waitMs: this.#cut.waitMs } } : draft;
    return this.#drafts.push(own) - 1;
  }

  get #last(): number {
    return this.#drafts.length - 1;
  }

  /** The copy of a space, with its title. */
  #copy(part: VersionSpace): Copy {
    const { source, title, loose, onSite } = part;
    if (onSite !== undefined) return { part, space: onSite.space.id, after: [] };
    const from = { after: source.space.title };
    const space: Id =
      loose?.id ??
      this.#made({
        kind: 'spaces',
        key: title,
        action: 'create',
        fields: { copyOf: from },
        change: request(duplicateSpace, { spaceId: source.space.id }),
      });
    if (loose?.title === title) return { part, space, after: [] };
    const rename = request(updateSpace, { spaceId: space }, { title });
    return { part, space, after: [this.#add({ kind: 'spaces', key: title, change: rename })] };
  }

  /** What a draft makes. */
  #made(draft: ChangeDraft, path = 'id'): Reference {
    return { $from: changeId(this.#add(draft)), path };
  }

  /** Puts a copy on the site, at its path, beside what it is a copy of. */
  #attach(copy: Copy): void {
    const { source, title, path, onSite } = copy.part;
    const siteSpace = onSite?.id ?? this.#attached(copy);
    this.#siteSpaces.push(siteSpace);
    const own = { ...this.#path, siteSpaceId: siteSpace };
    const { condition } = source;
    const isPlaced = onSite?.path === path;
    if (!isPlaced) {
      const body = { path, ...(condition !== undefined && { condition }) };
      const draft = { kind: 'site-spaces', key: title, change: request(updateSiteSpace, own, body) };
      this.#placed = this.#add(draft);
    }
    if (onSite !== undefined || this.#cut.origin.kind === 'section') return;
    // The newest version first.
    const position = { before: { type: 'site-space', siteSpace: source.id } };
    this.#add({
      kind: 'site-spaces',
      key: title,
      action: 'move',
      fields: { before: { after: source.space.title } },
      change: request(moveSiteSpace, own, { position }),
    });
  }

  /** @returns the id of the site space; the first one makes the section */
  #attached({ part: { title }, space: spaceId, after: renamed }: Copy): Id {
    // One after the other: taken back in the opposite order, none finds its former path taken by the next.
    const after = [...renamed, ...(this.#placed === undefined ? [] : [this.#placed])];
    const { origin } = this.#cut;
    if (origin.kind === 'section' && this.#section === undefined) return this.#newSection(spaceId, after);
    return this.#made({
      kind: 'site-spaces',
      key: title,
      action: 'create',
      fields: { space: { after: title } },
      change: {
        ...request(createSiteSpace, this.#path, {
          spaceId,
          ...(this.#section !== undefined && { sectionId: this.#section }),
        }),
        after,
      },
    });
  }

  /** A section with its first space; who may see it is set at once. */
  #newSection(spaceId: Id, after: readonly number[]): Id {
    const { version } = this.#cut;
    const made = this.#made({
      kind: 'sections',
      key: version,
      action: 'create',
      fields: { title: { after: version } },
      change: { ...request(createSection, this.#path, { spaceId, title: version }), after },
    });
    this.#section = made;
    this.#settings(made);
    return { ...made, path: 'siteSpaces.0.id' };
  }

  /** The path of the section, and what it has of its source. */
  #settings(section: Id): void {
    const { origin, path, version } = this.#cut;
    if (origin.kind !== 'section') return;
    const { condition, icon, description } = origin.section;
    const given = Object.entries({ condition, icon, description }).filter(([, value]) => value !== undefined);
    const body = { path, ...Object.fromEntries(given) };
    const own = { ...this.#path, siteSectionId: section };
    this.#add({ kind: 'sections', key: version, change: request(updateSection, own, body) });
  }

  /** What comes once the spaces are in the section: its default, its group, its place beside the source. */
  #arrangeSection(): void {
    const { origin, section, version, site, path } = this.#cut;
    const own = this.#section;
    if (origin.kind !== 'section' || own === undefined) return;
    if (section !== undefined && section.path !== path) this.#settings(own);
    const at = { ...this.#path, siteSectionId: own };
    const first = defaultOf(site, origin.section.id);
    const index = this.#cut.parts.findIndex(({ source }) => source.id === first);
    const shown = this.#siteSpaces[index];
    if (index > 0 && shown !== undefined && section === undefined)
      this.#add({
        kind: 'sections',
        key: version,
        fields: { defaultSiteSpace: { after: this.#cut.parts[index]?.title } },
        change: request(updateSection, at, { defaultSiteSpace: shown }),
      });
    if (section !== undefined) return;
    const group = origin.section.sectionGroup;
    if (group !== undefined)
      this.#add({
        kind: 'section-groups',
        key: version,
        fields: { section: { after: version } },
        change: request(addSectionToGroup, { ...this.#path, siteSectionGroupId: group }, { sectionId: own }),
      });
    const position = { before: { type: 'site-section', siteSection: origin.section.id } };
    this.#add({
      kind: 'sections',
      key: version,
      action: 'move',
      fields: { before: { after: origin.section.title } },
      change: {
        ...request(moveSection, at, { position }),
        ...(group !== undefined && { after: [this.#last] }),
      },
    });
  }

  /** Reads that must show the version before it becomes the default; and that it is whole, where it does not. */
  #verify(copies: readonly Copy[]): void {
    const { parts, site, version } = this.#cut;
    const { published, visibility } = site.site;
    const compared = copies.flatMap(({ part: { source, amount, onSite, comparable }, space: copy }) => {
      if (onSite !== undefined && comparable !== true) return [];
      return [{ proof: 'same-content', space: source.space.id, copy, planned: amount } as const];
    });
    const placed = {
      proof: 'on-site',
      ...this.#path,
      siteSpaces: this.#siteSpaces,
      section: this.#section ?? null,
      urls: published && parts.every(({ source }) => source.urls?.published !== undefined),
      // Without the key of a share link, nobody reads the structure of such a site.
      published: published && visibility !== 'share-link',
    } as const;
    const op = placed.published ? getPublishedSite : listSiteSpaces;
    this.#add({
      kind: 'sites',
      key: `${site.site.title}/${version}`,
      action: 'verify',
      fields: amountsOf(compared.map(({ planned }) => planned)),
      change: {
        ...request(op, this.#path),
        after: [...this.#drafts.keys()],
        proves: [...compared, placed],
      },
    });
  }

  /** Makes the version what visitors see first; undefined where that is not asked for, or is so already. */
  #flip(): ChangeDraft | undefined {
    const { makeDefault, origin, site, section, parts, version } = this.#cut;
    if (!makeDefault) return undefined;
    const [shown] = this.#siteSpaces;
    const [part] = parts;
    if (origin.kind === 'section') {
      const to = this.#section;
      if (to === undefined || section?.default === true) return undefined;
      const now = site.sections.find((one) => one.default === true)?.title;
      return this.#siteFlip({ defaultSiteSection: to }, 'defaultSiteSection', now, version);
    }
    if (shown === undefined || part === undefined) return undefined;
    const level = origin.siteSpace.section;
    const nowId = defaultOf(site, level);
    if (typeof shown === 'string' && shown === nowId) return undefined;
    const now = site.siteSpaces.find(({ id }) => id === nowId);
    const before = now?.space?.title ?? now?.title;
    const body = { defaultSiteSpace: shown };
    if (level === undefined) return this.#siteFlip(body, 'defaultSiteSpace', before, part.title);
    return {
      kind: 'sections',
      key: site.sections.find(({ id }) => id === level)?.title ?? level,
      fields: { defaultSiteSpace: { before, after: part.title } },
      change: request(updateSection, { ...this.#path, siteSectionId: level }, body),
    };
  }

  #siteFlip(body: object, field: string, before: string | undefined, after: string): ChangeDraft {
    const { site } = this.#cut.site;
    return {
      kind: 'sites',
      key: site.title,
      fields: { [field]: { before, after } },
      change: request(updateSite, this.#path, body),
    };
  }
}

/** How much the copies must have together. */
function amountsOf(amounts: readonly Amount[]): NonNullable<ChangeDraft['fields']> {
  const sum = (what: keyof Amount) => ({ after: amounts.reduce((all, one) => all + one[what], 0) });
  return amounts.length === 0 ? {} : { pages: sum('pages'), files: sum('files') };
}
