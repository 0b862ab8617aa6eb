import { expect, it, test } from 'vitest';
import { lineStarts } from '../../../src/files/yaml/node.js';
import { plainTree, treeOf } from '../../../src/files/yaml/parse.js';

const people = `# yaml-language-server: $schema=./.schemas/people.json
# Edit this file.
manage: additive
memberships: additive
people:
  - email: ada@acme.example
    role: admin
    teams: {editors: owner, writers: member}

  # A comment
  - email: 'ben''s@acme.example'
    sso: true
    teams: [writers, api-team]
`;
const library = `manage: additive
library:
  - collection: api
    title: API and SDKs (v2), for "us" & them!
    contents:
      - space: guide
        title: '2024: a year'
        fields:
          tier: Gold
          areas:
            - Product
            - Büro
      - collection: inner
        order: 12
  - space: last
    emoji: "🏳️\\u200d🌈"
    title: "a \\"b\\" \\\\ \\n"
`;
const org = `organization:
  title: Acme
  email_domains:
    - acme.example
guards:
  min_admins: 1
  hostname: !env HOST_NAME
sites:
  manage: additive
providers:
  - key: okta
    certificate: !file certificates/okta-1.pem
`;
const parts = [
  ...[
    '- ',
    '  ',
    ' ',
    ':',
    ': ',
    ' #',
    '#',
    "'",
    '"',
    ', ',
    '[',
    ']',
    '{',
    '}',
    '|',
    '>',
    '&a ',
    '*a',
    '!file ',
    '!env A',
    '!env ',
  ],
  ...[
    '\n',
    '\n\n',
    'null',
    'true',
    '~',
    '-',
    '1',
    '1e3',
    '0x1',
    '.5',
    'key: ',
    '? ',
    '%',
    '---\n',
    '...\n',
    '\t',
    '\r',
  ],
  ...[
    'No',
    'a: b',
    '\u00a0',
    '\u2028',
    '\ufeff',
    'é',
    '😀',
    '- - ',
    '@',
    '`',
    '<<: ',
    '[]',
    '{}',
    '\\',
    '=',
    'title: x\n',
  ],
];

async function byParser(text: string) {
  const parsing = { file: 'x.yaml', text, starts: lineStarts(text), mistakes: [] };
  const tree = await treeOf(parsing);
  return { tree, mistakes: parsing.mistakes };
}

test.each([people, library, org])('reads what pull writes as the parser does', async (text) => {
  const tree = plainTree(text);
  expect(tree).toBeDefined();
  expect({ tree, mistakes: [] }).toEqual(await byParser(text));
});

/** A sequence that is the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

it('reads changed texts as the parser does, or leaves them to it', async () => {
  const next = random(7);
  let read = 0;
  for (let round = 0; round < 3000; round += 1) {
    let text = [people, library, org][next(3)] as string;
    for (let change = 0; change <= next(3); change += 1) {
      const at = next(text.length);
      text = text.slice(0, at) + (parts[next(parts.length)] ?? '') + text.slice(at + next(4));
    }
    const tree = plainTree(text);
    if (tree === undefined) continue;
    read += 1;
    expect({ text, tree, mistakes: [] }).toEqual({ text, ...(await byParser(text)) });
  }
  expect(read).toBeGreaterThan(100);
});

test.each([
  ...[
    '',
    'a',
    'a: b: c',
    'a:\n- b',
    'a:',
    'a: |\n  b',
    'a: b\n  c',
    'a: b\n  c: d',
    'a: !env 1',
    'a: !x y',
    'a: null',
    '? a',
  ],
  ...[
    'a: "\\x41"',
    'a: [b,c]',
    'a: b #c',
    'a: b\na: c',
    'a: 1.5',
    'true: b',
    'a: [b: c]',
    'a:\n    b: c\n  d: e',
    '- a',
  ],
])('leaves %j to the parser', (text) => {
  expect(plainTree(text)).toBeUndefined();
});
