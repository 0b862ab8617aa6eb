import type { Affected, ImpactAction } from '../../access/impact/change.js';
import type { KindName } from '../../cli/resolve/catalogue.js';

/** What an impact can be asked about: the words for it, and the actions that its operations allow. */

export interface ImpactKind {
  /** As the group is called for one: `docs section-group`. */
  word: string;
  object: Affected['object'];
  /** The kind of the catalogue, where titles and addresses can name it. */
  kind?: KindName;
  /** What its path needs beside its id; `changeRequestId` only where it is given. */
  within: readonly ('siteId' | 'spaceId' | 'changeRequestId')[];
  actions: readonly ImpactAction[];
}

const alone = [] as const;
const onSite = ['siteId'] as const;

/** Test: test/commands/impact-kinds.test.ts compares the actions with the declared operations. */
export const impactKinds: readonly ImpactKind[] = [
  {
    word: 'space',
    object: 'space',
    kind: 'space',
    within: alone,
    actions: ['delete', 'move', 'transfer', 'rename'],
  },
  {
    word: 'collection',
    object: 'collection',
    kind: 'collection',
    within: alone,
    actions: ['delete', 'move', 'transfer', 'rename'],
  },
  { word: 'site', object: 'site', kind: 'site', within: alone, actions: ['delete', 'rename'] },
  {
    word: 'section',
    object: 'site-section',
    kind: 'section',
    within: onSite,
    actions: ['delete', 'move', 'rename'],
  },
  {
    word: 'section-group',
    object: 'site-section-group',
    kind: 'group',
    within: onSite,
    actions: ['delete', 'move', 'rename'],
  },
  {
    word: 'site-space',
    object: 'site-space',
    kind: 'site-space',
    within: onSite,
    actions: ['delete', 'move', 'rename'],
  },
  { word: 'team', object: 'team', kind: 'team', within: alone, actions: ['delete', 'rename'] },
  { word: 'member', object: 'member', kind: 'user', within: alone, actions: ['delete'] },
  {
    word: 'custom-field',
    object: 'custom-field',
    kind: 'custom-field',
    within: alone,
    actions: ['delete', 'rename'],
  },
  { word: 'openapi', object: 'openapi-spec', kind: 'slug', within: alone, actions: ['delete'] },
  { word: 'saml', object: 'saml-provider', kind: 'provider', within: alone, actions: ['delete', 'rename'] },
  {
    word: 'translation',
    object: 'translation-settings',
    kind: 'translation',
    within: alone,
    actions: ['delete', 'rename'],
  },
  { word: 'invite', object: 'invite', within: alone, actions: ['delete'] },
  {
    word: 'comment',
    object: 'comment',
    kind: 'comment',
    within: ['spaceId', 'changeRequestId'],
    actions: ['delete'],
  },
  { word: 'org', object: 'organization', kind: 'org', within: alone, actions: ['rename'] },
];

/** The words for what an action can be done to. */
export function wordsFor(action: ImpactAction): string[] {
  return impactKinds.filter(({ actions }) => actions.includes(action)).map(({ word }) => word);
}

/** The kind of the catalogue by word, for completion. */
export const kindsOf: Readonly<Record<string, KindName>> = Object.fromEntries(
  impactKinds.flatMap(({ word, kind }) => (kind === undefined ? [] : [[word, kind] as const])),
);

/** Kinds that people call otherwise than their group. */
const ownWords: Partial<Record<Affected['object'], string>> = {
  organization: 'organization',
  'openapi-spec': 'OpenAPI spec',
  'saml-provider': 'SAML provider',
};

/** The words of one kind: `site-section` is a section. */
export function wordOf(object: Affected['object']): string {
  const word = impactKinds.find((one) => one.object === object)?.word ?? object;
  return ownWords[object] ?? word.replaceAll('-', ' ');
}

/** Which kinds each flag of `rename` is for; in the order of the flags. */
export const renameFlags = {
  title: [
    'space',
    'collection',
    'site',
    'section',
    'section-group',
    'team',
    'custom-field',
    'translation',
    'org',
  ],
  label: ['saml'],
  path: ['section', 'site-space'],
  basename: ['site'],
  proxy: ['site'],
  hostname: ['org'],
} as const satisfies Record<string, readonly string[]>;
