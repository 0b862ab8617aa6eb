import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/read.js';
import { wireString } from '../../src/signing/keys.js';
import { securityKey } from './approval/security-key.js';
import { person } from './approval/world.js';
import { mistakesOf, policyOf, table } from './world.js';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0ad1dZC0oBpxGN2g9xn7TzQkYJ1Hq5m0mJmpZl2f1a';

it('reads every key', async () => {
  const policy = await policyOf(`default: deny
allow:  [read, "change-requests *", "members update"]
deny:   ["spaces delete", "saml *", "members update role=admin"]
ask:    ["* danger=confirm", "* undo=none"]
budget: { writes: 20/run, deletes: 5/day }
orgs:   [jtBm07Y5RKnqZVIW3UZg]
protect: ["site:docs", "team:admins", "member:ada@acme.example"]
approve: { by: [{ email: ada@acme.example, key: "${key}" }], valid: 24h }
`);
  expect(policy).toMatchObject({
    file: '/p.yaml',
    default: 'deny',
    allow: [
      { text: 'read', read: true, line: 3 },
      { text: 'change-requests *', words: ['change-requests', '*'], attributes: [] },
      { text: 'members update', words: ['members', 'update'] },
    ],
    deny: [{}, {}, { line: 4, words: ['members', 'update'], attributes: [{ name: 'role', value: 'admin' }] }],
    ask: [{ words: ['*'], attributes: [{ name: 'danger', value: 'confirm' }] }, {}],
    budget: [
      { what: 'writes', most: 20, per: 'run', line: 6 },
      { what: 'deletes', most: 5, per: 'day', line: 6 },
    ],
    orgs: ['jtBm07Y5RKnqZVIW3UZg'],
    protect: [
      { kind: 'site', name: 'docs', line: 8 },
      { kind: 'team', name: 'admins' },
      { kind: 'user', name: 'ada@acme.example' },
    ],
    approve: { by: [{ email: 'ada@acme.example', key }], validMs: 86_400_000, line: 9 },
    lines: { default: 2, orgs: 7 },
  });
  expect(policy.hash).toMatch(/^[0-9a-f]{64}$/);
});

it('denies what no rule names unless it says otherwise', async () => {
  expect(await policyOf('')).toMatchObject({ default: 'deny', allow: [], deny: [], ask: [], budget: [] });
  expect(await policyOf('default: allow\n')).toMatchObject({ default: 'allow' });
});

it('reads an approval by a merge', async () => {
  const policy = await policyOf(
    'approve: { from: git, remote: https://git.acme.example/plans.git, branch: main, valid: 7d }\n',
  );
  expect(policy.approve).toEqual({
    line: 2,
    git: { remote: 'https://git.acme.example/plans.git', branch: 'main' },
    validMs: 7 * 86_400_000,
  });
});

describe('the keys of those who approve', () => {
  const blobOf = (...parts: readonly (string | Uint8Array)[]) =>
    Buffer.concat(parts.map(wireString)).toString('base64');
  const reading = (key: string) =>
    mistakesOf(`version: 1\napprove: { by: [{ email: ada@acme.example, key: "${key}" }] }\n`);

  it.each([
    ['Ed25519', person('ada@acme.example').key],
    ['Ed25519 on a security key', securityKey('ada@acme.example').key],
    ['ECDSA on a security key', securityKey('ada@acme.example', 'ecdsa').key],
  ])('%s is taken', async (_, key) => {
    const policy = await policyOf(`approve: { by: [{ email: ada@acme.example, key: "${key}" }] }\n`);
    expect(policy.approve?.by).toEqual([{ email: 'ada@acme.example', key }]);
  });

  it.each([
    ['DSA', `ssh-dss ${blobOf('ssh-dss', 'p', 'q', 'g', 'y')}`],
    [
      'a certificate',
      `ssh-ed25519-cert-v01@openssh.com ${blobOf('ssh-ed25519-cert-v01@openssh.com', 'nonce')}`,
    ],
    ['a key cut short', `ssh-ed25519 ${blobOf('ssh-ed25519', 'short')}`],
    [
      'a security key without its application',
      `sk-ssh-ed25519@openssh.com ${blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 9))}`,
    ],
  ])('%s, which verifies nothing, is refused', async (_, key) => {
    expect(await reading(key)).toEqual([
      expect.stringContaining('approve.by[0].key must be whole and of a supported kind: ssh-ed25519,'),
    ]);
  });
});

it('tells every mistake at once, with its place and what was meant', async () => {
  const text = `version: 2
defalt: deny
default: ask
allow: [raed, "member update", "members", "members updat", "members update rol=admin", "members upd*"]
deny: ["members update role=Admin", "* danger=confrm", "role=admin", "members update role=admin now"]
budget: { writes: 20, delete: 5/day }
orgs: ["Acme Inc"]
protect: ["sites:docs", "docs", "sit:docs"]
approve: { by: [{ email: ada, key: AAAA }], valid: 1y, rehearse: true, approver: x }
`;
  expect(await mistakesOf(text)).toEqual([
    '/p.yaml:1:10 version must be 1, the only version that this docs knows',
    '/p.yaml:2:1 defalt is not known; did you mean "default"?',
    '/p.yaml:3:10 default must be deny or allow; known: deny, allow',
    '/p.yaml:4:9 allow[0] names no known command; did you mean "read"?',
    '/p.yaml:4:15 allow[1] names no known command; did you mean "members update"?',
    '/p.yaml:4:32 allow[2] names a group of commands; did you mean "members *"?',
    '/p.yaml:4:43 allow[3] names no known command; did you mean "members update"?',
    '/p.yaml:4:60 allow[4] has the attribute "rol", which "members update" never sends; did you mean "role"?',
    '/p.yaml:4:88 allow[5] has "*" within a word; it stands for a whole word',
    '/p.yaml:5:8 deny[0] has a value that role never has; known: admin, create, review, edit, comment, read, null; did you mean "admin"?',
    '/p.yaml:5:37 deny[1] has an unknown danger; known: read, change, confirm, type-title; did you mean "confirm"?',
    '/p.yaml:5:56 deny[2] must begin with "read", a command or "*"',
    '/p.yaml:5:70 deny[3] has words after an attribute; words come first: members update role=admin',
    '/p.yaml:6:19 budget.writes must be a number per run, hour or day, such as 20/run',
    '/p.yaml:6:23 budget.delete is not known; did you mean "deletes"?',
    '/p.yaml:7:8 orgs[0] must be the id of an organization, not its title',
    '/p.yaml:8:11 protect[0] names an unknown kind of resource; did you mean "site"?',
    '/p.yaml:8:25 protect[1] must be a kind and an id or title, such as "site:docs"',
    '/p.yaml:8:33 protect[2] names an unknown kind of resource; did you mean "site"?',
    '/p.yaml:9:26 approve.by[0].email must be an email',
    '/p.yaml:9:36 approve.by[0].key must be an SSH public key, such as "ssh-ed25519 AAAA..."',
    '/p.yaml:9:52 approve.valid must be a span of time of at most 90d, such as 24h or 7d',
    '/p.yaml:9:72 approve.approver is not known; known: by, from, remote, branch, valid, rehearse, fourEyes',
  ]);
});

it.each([
  ['an empty file', '', '/p.yaml:1:1 version is missing; expected version: 1'],
  [
    'a version as text',
    'version: "1"\n',
    '/p.yaml:1:10 version must be 1, the only version that this docs knows',
  ],
  [
    'a key twice',
    'version: 1\nallow: [read]\nallow: ["*"]\n',
    '/p.yaml:3:1 allow is there twice; it is also on line 2',
  ],
  [
    'an anchor',
    'version: 1\nallow: &a [read]\n',
    '/p.yaml:2:11 allow has an anchor (&); remove it and repeat the value where it is needed',
  ],
  ['an alias', 'version: 1\nallow: *a\n', '/p.yaml:2:8 allow is an alias (*); repeat the value instead'],
  [
    'a tab',
    'version: 1\nallow:\n\t- read\n',
    '/p.yaml:3:1 the file is indented with a tab; YAML takes spaces',
  ],
  [
    'no value',
    'version: 1\ndeny:\n',
    '/p.yaml:2:6 deny has no value (null); remove the key, or set "" for an empty text',
  ],
  [
    'two documents',
    'version: 1\n---\ndeny: []\n',
    '/p.yaml:2:1 the file holds several documents; remove the "---" lines',
  ],
  [
    'a tag',
    'version: 1\nallow: [!env RULE]\n',
    '/p.yaml:2:9 allow[0] must be a rule such as "members update"',
  ],
  [
    'a number among the rules',
    'version: 1\nallow: [read, true]\n',
    '/p.yaml:2:15 allow[1] must be a rule such as "members update"',
  ],
  [
    'ways to approve that contradict each other',
    'version: 1\napprove: { from: git, remote: origin, branch: --upload-pack=x, by: [] }\n',
    '/p.yaml:2:47 approve.branch must be the name of a branch',
    '/p.yaml:2:68 approve.by cannot stand beside from: git',
  ],
  [
    'nobody who may approve',
    'version: 1\napprove: { valid: 24h }\n',
    '/p.yaml:2:10 approve.by is missing; expected by: [{ email, key }], or from: git',
  ],
])('refuses %s', async (_, text, ...lines) => {
  expect(await mistakesOf(text)).toEqual(lines);
});

it('takes a byte order mark, comments and a single rule without a list', async () => {
  const policy = await readPolicy('/p.yaml', '\ufeffversion: 1 # one\nallow: read\n', await table());
  expect(policy.allow).toEqual([{ text: 'read', line: 2, read: true, words: [], attributes: [] }]);
});

it('refuses bytes that are not UTF-8', async () => {
  const [line] = await mistakesOf(Buffer.from('version: 1\ndeny: ["spaces \xff"]\n', 'latin1'));
  expect(line).toMatch(/^\/p\.yaml:2:1 the file /);
});

it('takes quoted values, fields of maps and any value of an open field', async () => {
  const { deny } = await policyOf(`deny:
  - spaces update title="Team Handbook"
  - teams members update memberships.*.role=owner
  - spaces fields set values.team.value=core
`);
  expect(deny.map(({ attributes }) => attributes)).toEqual([
    [{ name: 'title', value: 'Team Handbook' }],
    [{ name: 'memberships.*.role', value: 'owner' }],
    [{ name: 'values.team.value', value: 'core' }],
  ]);
});

it('refuses a rehearsal for approvals by a merge, which does not say that there was one', async () => {
  const git = 'from: git, remote: https://git.example/x.git, branch: main';
  expect(await mistakesOf(`version: 1\napprove: { ${git}, rehearse: true }\n`)).toEqual([
    '/p.yaml:2:82 approve.rehearse cannot stand beside from: git: a merge does not say that the plan was rehearsed',
  ]);
});
