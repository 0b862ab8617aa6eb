import type {
  ChangesPart,
  Document,
  GraphPart,
  HeatPart,
  Labelled,
  TablePart,
  TreePart,
} from '../../src/document/document.js';

/** Reports of every kind of part, the same in every run, with texts that try to be more than text. */

export const hostileTexts = [
  '<script>globalThis.wasRun = true</script>',
  '"><img src=x onerror="globalThis.wasRun = true">',
  '</script><script>globalThis.wasRun = true</script>',
  '<!--<script>',
  'before\u2028after',
  'left \u202eright-to-left override\u202c end',
  'דוח גישה של הצוות — تقرير الوصول',
  `${'A title of three hundred characters '.repeat(9)}`.slice(0, 300),
  'x'.repeat(300),
] as const;

const roles = ['admin', 'create', 'edit', 'review', 'comment', 'read'];
const teams = ['Writers', 'Platform', 'Support', 'Legal', 'Marketing'];
const names = [
  ...['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson'],
  ...['Edsger Dijkstra', 'Barbara Liskov'],
];

/** Numbers in [0, 1) that look random, the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const dayAfter = (ms: number, days: number) => new Date(ms + days * 86_400_000).toISOString();

function personOf(index: number): string {
  const name = names[index % names.length] ?? '';
  return index < names.length ? name : `${name} ${Math.floor(index / names.length)}`;
}

export function membersTable(count: number): TablePart {
  const next = numbers(7);
  const rows = Array.from({ length: count }, (_row, index) => [
    personOf(index),
    `person${index}@example.com`,
    roles[Math.floor(next() * roles.length)] ?? '',
    teams.filter(() => next() < 0.3),
    Math.floor(next() ** 3 * 20_000),
    next() < 0.1 ? null : dayAfter(Date.UTC(2025, 0, 1), Math.floor(next() * 160)),
    next() < 0.7,
  ]);
  return {
    kind: 'table',
    title: 'Members',
    note: 'People who have accepted their invitation.',
    columns: [
      { label: 'Name', as: 'text' },
      { label: 'Email', as: 'text' },
      { label: 'Role', as: 'role' },
      { label: 'Teams', as: 'text' },
      { label: 'Pages read', as: 'count' },
      { label: 'Last seen', as: 'time' },
      { label: 'SSO', as: 'yesno' },
    ],
    rows,
    empty: 'There are no members.',
  };
}

export function hostileTable(): TablePart {
  return {
    kind: 'table',
    title: hostileTexts[0],
    note: hostileTexts[1],
    columns: [
      { label: 'Title', as: 'text' },
      { label: hostileTexts[1], as: 'state' },
      { label: 'Id', as: 'id' },
      { label: 'Lines', as: 'text' },
    ],
    rows: hostileTexts.map((text, index) => [text, text.slice(0, 24), `id${index}`, [text, 'second line']]),
    empty: '',
  };
}

export function accessHeat(people: number, spaces: number): HeatPart {
  const next = numbers(11);
  const levels = ['none', 'read', 'comment', 'review', 'edit', 'create', 'admin'];
  const reasons = [
    '',
    ...teams.flatMap((team) => levels.slice(1).map((level) => `${level} as a member of the team ${team}`)),
    'admin of the organization',
    'read by the default role of the collection',
  ];
  const cells = new Uint8Array(people * spaces);
  const why = new Uint16Array(people * spaces);
  for (let row = 0; row < people; row += 1) {
    const team = Math.floor(next() * teams.length);
    const isAdmin = next() < 0.02;
    for (let column = 0; column < spaces; column += 1) {
      const at = row * spaces + column;
      const level = isAdmin ? 6 : next() < 0.55 ? 0 : 1 + Math.floor(next() ** 2 * 5);
      cells[at] = level;
      why[at] = isAdmin ? reasons.length - 2 : level === 0 ? 0 : team * 6 + level;
    }
  }
  return {
    kind: 'heat',
    title: 'Access',
    note: 'Each cell is what a person may do in a space.',
    axes: ['Person', 'Space'],
    rows: Array.from({ length: people }, (_row, index) => ({
      label: personOf(index),
      detail: `person${index}@example.com`,
    })),
    columns: Array.from({ length: spaces }, (_column, index) => {
      const name = ['Handbook', 'API reference', 'Release notes', 'Onboarding'][index % 4];
      return { label: index === 3 ? 'דוח גישה' : `${name} ${index + 1}` };
    }),
    levels,
    reasons,
    cells,
    why,
  };
}

export function organizationTree(): TreePart {
  const next = numbers(3);
  const space = (title: string) => ({
    label: title,
    as: 'space',
    facts: [`${1 + Math.floor(next() * 300)} pages`, next() < 0.5 ? 'private' : 'public'],
    at: dayAfter(Date.UTC(2025, 5, 15), -Math.floor(next() * 400)),
  });
  return {
    kind: 'tree',
    title: 'Organization',
    root: {
      label: 'Acme Docs',
      as: 'organization',
      facts: ['400 members', '8 spaces'],
      children: [
        {
          label: 'Engineering',
          as: 'collection',
          facts: ['3 spaces'],
          children: [space('Handbook'), space('API reference'), space(hostileTexts[6])],
        },
        {
          label: 'help.example.com',
          as: 'site',
          facts: ['2 sections'],
          children: [
            { label: 'Guides', as: 'section', children: [space('Getting started'), space(hostileTexts[1])] },
            { label: 'Reference', as: 'section', children: [space('Reference'), space(hostileTexts[7])] },
          ],
        },
        space('Release notes'),
      ],
    },
  };
}

export function linkGraph(count: number): GraphPart {
  const next = numbers(5);
  const odd: Record<number, string> = { 4: hostileTexts[0], 5: hostileTexts[6] };
  const nodes = Array.from({ length: count }, (_node, index) => ({
    label: odd[index] ?? `${['Handbook', 'API', 'Guides'][index % 3]} ${index + 1}`,
    as: index % 9 === 8 ? 'site' : 'space',
    detail: `${Math.floor(next() * 200)} pages`,
  }));
  const edges = Array.from({ length: Math.floor(count * 1.8) }, () => {
    const links = 1 + Math.floor(next() * 20);
    return {
      from: Math.floor(next() * count),
      to: Math.floor(next() ** 2 * count),
      count: links,
      broken: next() < 0.15 ? 1 + Math.floor(next() * links) : 0,
    };
  });
  return { kind: 'graph', title: 'Links between spaces', nodes, edges };
}

export function planChanges(count: number): ChangesPart {
  const kinds = ['team', 'space', 'site'];
  const actions = ['create', 'change', 'delete', 'move'];
  const items = Array.from({ length: count }, (_item, index) => ({
    action: actions[index % actions.length] ?? '',
    as: kinds[index % kinds.length] ?? '',
    title: index === 1 ? hostileTexts[1] : index === 2 ? hostileTexts[6] : `Writers ${index + 1}`,
    id: `yX3l${index}`,
    notes: index % 4 === 2 ? ['It disappears from all lists immediately.'] : [],
    fields: [
      {
        name: 'title',
        before: index % 4 === 0 ? null : 'Writers',
        after: index % 4 === 2 ? null : 'Authors and editors',
      },
      { name: 'members', before: ['Ada', 'Grace'], after: ['Ada', 'Grace', hostileTexts[0]] },
      { name: 'description', before: '', after: hostileTexts[7] },
    ],
  }));
  const [note, empty] = ['Nothing has been sent.', 'Nothing changes.'];
  return { kind: 'changes', title: 'Changes', note, items, empty };
}

const facts: readonly Labelled[] = [
  ['Organization', 'Acme Docs'],
  ['Platform', 'https://api.example.com'],
  ['Read', '2025-06-15 12:00 UTC'],
];

/** By the name of their files. */
export function samples(): Record<string, Document> {
  const report = (title: string, ...parts: Document['parts']): Document => ({
    title,
    about: ['Made from what a token of an administrator can read.'],
    facts,
    parts,
  });
  return {
    members: report('Members of Acme Docs', membersTable(60)),
    many: report('Members of a large organization', membersTable(10_000)),
    access: report('Access matrix of Acme Docs', accessHeat(60, 40), membersTable(8)),
    links: report('Links of Acme Docs', linkGraph(36)),
    map: report('Map of Acme Docs', organizationTree()),
    plan: report('Plan of Acme Docs', planChanges(130)),
    hostile: {
      title: hostileTexts[1],
      about: [hostileTexts[0], hostileTexts[6]],
      missing: ['2 spaces could not be read: permission denied.', hostileTexts[2]],
      facts: [[hostileTexts[0], hostileTexts[1]]],
      parts: [
        hostileTable(),
        organizationTree(),
        linkGraph(8),
        planChanges(4),
        {
          ...accessHeat(5, 5),
          title: hostileTexts[7],
          reasons: accessHeat(5, 5).reasons.map((_reason, at) => hostileTexts[at % 9] ?? ''),
        },
        { ...membersTable(0), title: 'Guests', empty: 'There are no guests.' },
      ],
    },
  };
}
