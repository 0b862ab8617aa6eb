import fc from 'fast-check';
import type { Organization, Site } from '../organization/generated/model.js';
import { stateOf } from '../organization/generated/state.js';
import type { World } from '../organization/generated/world.js';

/** Random sites, and random texts of what they shall become. */

/** A row of `docs sites tree --json`. */
export interface Row {
  kind: 'group' | 'section' | 'space';
  depth: number;
  title: string;
  path?: string;
  default: boolean;
  id: string;
  space?: string;
  parent?: string;
}

export interface Node extends Row {
  children: Node[];
}

/** How many sections stand in which part: −1 at the top, else the number of a group; each with its spaces. */
export interface Drawn {
  published: boolean;
  groups: number;
  sections: { group: number; spaces: number; default: number }[];
  /** Random numbers for the target. */
  seeds: number[];
}

export const drawn: fc.Arbitrary<Drawn> = fc.record({
  published: fc.boolean(),
  groups: fc.nat({ max: 3 }),
  sections: fc.array(
    fc.record({
      group: fc.integer({ min: -1, max: 2 }),
      spaces: fc.integer({ min: 1, max: 3 }),
      default: fc.nat(2),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  seeds: fc.array(fc.nat(1_000_000), { minLength: 80, maxLength: 80 }),
});

const titles = [
  'Guides',
  'CI / CD',
  ' leading',
  'a # b',
  '[x]',
  'two\nlines',
  '\u202eover',
  'Ü 😀👩‍💻',
  '"q"',
  '* star',
];

/** The state of an organization with this site alone. */
export function stateWith({ published, groups, sections }: Drawn): string {
  const count = sections.reduce((sum, { spaces }) => sum + spaces, 0);
  const made = sections.map((section, at) => ({
    is: 'section' as const,
    title: `${titles[at % titles.length]} ${at}`,
    ...{ path: `section-${at}`, icon: null, description: null, default: section.default },
    condition: at % 3 === 0 ? 'visitor.claims.a' : null,
    spaces: Array.from({ length: section.spaces }, (_, own) => ({
      ...{ space: 0, path: `page-${own}`, condition: own % 2 === 0 ? null : 'visitor.claims.b' },
    })),
    at: section.group,
  }));
  const site: Site = {
    ...{ title: 'Handbook', type: 'premium', visibility: 'public', published, basename: 'handbook' },
    ...{ proxy: null, adaptive: false, claims: null, default: 0 },
    structure: {
      parts: [
        ...Array.from({ length: groups }, (_, at) => ({
          is: 'group' as const,
          title: `Group ${titles[at]}`,
          icon: null,
          sections: made.filter((one) => one.at === at),
        })),
        ...made.filter((one) => one.at < 0 || one.at >= groups),
      ],
    },
  };
  const person = { role: 'admin' as const, sso: false, disabled: false };
  const org: Organization = {
    ...{ title: 'Acme', emailDomains: [], hostname: 'acme', defaultRole: null, defaultSite: null },
    ...{
      sso: false,
      ai: false,
      inviteLinks: false,
      teams: [],
      fields: [],
      specs: [],
      translations: [],
      saml: [],
    },
    people: [
      { local: 'ada', ...person },
      { local: 'bo', ...person },
    ],
    library: Array.from({ length: count }, (_, at) => ({
      ...{
        is: 'space' as const,
        title: `Space ${titles[at % titles.length]} ${at}`,
        emoji: '',
        locked: false,
      },
      ...{ level: 'edit' as const, visibility: 'public' as const, deleted: false, values: [] },
    })),
    sites: [site],
  };
  return stateOf(org);
}

export async function rowsOf(world: World, site: string): Promise<Row[]> {
  return JSON.parse(await world.ok(['sites', 'tree', site, '--json'])) as Row[];
}

export function nested(rows: readonly Row[]): Node[] {
  const nodes = rows.map((row) => ({ ...row, children: [] as Node[] }));
  for (const node of nodes) nodes.find(({ id }) => id === node.parent)?.children.push(node);
  return nodes.filter(({ parent }) => parent === undefined);
}

/** Numbers that were drawn, one after the other. */
export class Dice {
  readonly #seeds: readonly number[];
  #at = 0;

  constructor(seeds: readonly number[]) {
    this.#seeds = seeds;
  }

  below(count: number): number {
    this.#at += 1;
    return (this.#seeds[this.#at % this.#seeds.length] ?? 0) % Math.max(1, count);
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    const found: T[] = [];
    while (left.length > 0) found.push(...left.splice(this.below(left.length), 1));
    return found;
  }
}

/**
 * The tree as it shall become: everything anywhere, other titles, paths and defaults. Of a published site each
 * section keeps a space, since the platform lets none go that is the last.
 */
export function target(now: readonly Node[], dice: Dice, keeps: boolean): Node[] {
  const groups = now
    .filter(({ kind }) => kind === 'group')
    .map((node) => ({ ...node, children: [] as Node[] }));
  const before = now.flatMap((node) => (node.kind === 'group' ? node.children : [node]));
  const sections = before.map((node) => ({ ...node, children: [] as Node[] }));
  for (const [at, { children }] of before.entries())
    for (const [own, space] of children.entries()) {
      const stays = (keeps && own === 0) || dice.below(2) === 0;
      const to = sections[stays ? at : dice.below(sections.length)] as Node;
      to.children.push({ ...space, default: false, path: `${space.path}-${dice.below(3)}-${own}-${at}` });
    }
  const filled = sections.filter(({ children }) => children.length > 0);
  for (const section of sections) {
    section.children = dice.shuffled(section.children);
    const first = section.children[dice.below(section.children.length)];
    if (first !== undefined) first.default = true;
    section.default = false;
    if (dice.below(4) === 0) section.title = `${section.title} renamed`;
  }
  const shown = filled[dice.below(filled.length)];
  if (shown !== undefined) shown.default = true;
  // Paths go round among some of them.
  const round = sections.filter(() => dice.below(3) === 0);
  const paths = round.map(({ path }) => path);
  for (const [at, section] of round.entries()) section.path = paths[(at + 1) % paths.length] ?? '';
  const top: Node[] = [...groups];
  for (const section of dice.shuffled(sections)) {
    const to = dice.below(groups.length + 1);
    (groups[to]?.children ?? top).push(section);
  }
  return dice.shuffled(top);
}

/** As people would write it: no alignment, titles quoted where need be. */
export function textOf(nodes: readonly Node[], depth = 0): string {
  return nodes
    .map(({ kind, id, space, title, path, default: first, children }) => {
      const words = [
        JSON.stringify(title),
        ...(path === undefined ? [] : [`/${path}`]),
        `[${kind} ${kind === 'space' ? space : id}]`,
        ...(first ? ['*'] : []),
      ];
      return `${'  '.repeat(depth)}${words.join(' ')}\n${textOf(children, depth + 1)}`;
    })
    .join('');
}

/** What a tree says, without what the platform does not show: the place of a group without sections. */
export function comparable(nodes: readonly Node[]): string {
  const isShown = ({ kind, children }: Node) => kind !== 'group' || children.length > 0;
  const hidden = nodes.filter((node) => !isShown(node)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return textOf([...nodes.filter(isShown), ...hidden]);
}
