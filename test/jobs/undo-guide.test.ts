import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { leastForecast } from '../../src/jobs/undo-rules.js';

/** The table on undo in the guide says of every change what its rule says. */

const page = readFileSync('docs/guide/bulk.md', 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| (exact|best effort|none) \| (.*) \|$/gm)].map(([, undo = '', changes = '']) => [
    undo.replace(' ', '-'),
    changes,
  ]),
);

/** What the row says of a command over one operation. */
const told: Readonly<Record<string, string>> = {
  'change-requests create': 'a new change request is archived',
  'change-requests merge': 'merges',
  'change-requests pull': 'pulls',
  'change-requests update': 'the status of change requests, until they are merged',
  'collections create': 'Created and duplicated resources are deleted',
  'collections delete': 'a deleted team, collection, section group or site space is recreated',
  'collections move': 'a moved or transferred space or collection returns to its parent',
  'collections transfer': 'a moved or transferred space or collection returns to its parent',
  'collections update': 'default levels',
  'comments create': 'Created and duplicated resources are deleted',
  'comments delete': 'comments',
  'comments replies create': 'replies',
  'comments replies update': 'reactions to comments',
  'comments update': 'reactions to comments',
  'content import': 'imports',
  'custom-fields create': 'Created and duplicated resources are deleted',
  'custom-fields delete': 'a deleted custom field, SAML provider',
  'custom-fields update': 'removed options of a field',
  'invites delete': 'deleted invite links',
  'invites update': 'of invite links',
  'members delete': 'removed members, and their teams',
  'members link-sso': 'SSO membership',
  'members update': 'roles of members',
  'openapi create': 'Created and duplicated resources are deleted',
  'openapi delete': 'OpenAPI spec with a URL is recreated',
  'openapi set': 'versions of an OpenAPI spec',
  'orgs update': 'the logo of the organization',
  'saml create': 'Created and duplicated resources are deleted',
  'saml delete': 'a deleted custom field, SAML provider',
  'saml update': 'settings',
  'section-groups add': 'the groups of sections',
  'section-groups create': 'a new site, section or section group is deleted',
  'section-groups delete': 'a deleted team, collection, section group or site space is recreated',
  'section-groups move': 'the order of sections, section groups',
  'section-groups remove': 'the groups of sections',
  'section-groups update': 'titles',
  'sections create': 'a new site, section or section group is deleted',
  'sections delete': 'sections',
  'sections move': 'the order of sections',
  'sections update': 'conditions',
  'site-spaces create': 'Created and duplicated resources are deleted',
  'site-spaces delete': 'a deleted team, collection, section group or site space is recreated',
  'site-spaces move': 'site spaces',
  'site-spaces update': 'conditions',
  'sites create': 'a new site, section or section group is deleted',
  'sites delete': 'sites',
  'sites schema set': 'an adaptive schema that replaced another',
  'sites update': 'defaults',
  'spaces delete': 'deleted spaces, within 7 days',
  'spaces duplicate': 'Created and duplicated resources are deleted',
  'spaces fields set': 'values of custom fields',
  'spaces move': 'a moved or transferred space or collection returns to its parent',
  'spaces restore': 'deleted spaces',
  'spaces transfer': 'a moved or transferred space or collection returns to its parent',
  'spaces update': 'the icon of a space',
  'teams create': 'Created and duplicated resources are deleted',
  'teams delete': 'a deleted team, collection, section group or site space is recreated',
  'teams members delete': 'team membership',
  'teams members set': 'team membership',
  'teams members update': 'team membership',
  'teams update': 'titles',
  'translations create': 'Created and duplicated resources are deleted',
  'translations delete': 'translation or OpenAPI spec',
  'translations update': 'titles',
};

/** A ping changes nothing that could be undone. */
const changes = (await commandTree(groups)).filter(
  ({ path, command }) => command.spec !== undefined && command.danger !== 'read' && path !== 'orgs ping',
);

it('says something of every change', () => {
  expect(changes.map(({ path }) => path).sort()).toEqual(Object.keys(told).sort());
});

it.each(changes)('docs $path is in the row of its undo', ({ path, command: { operations } }) => {
  const [op] = operations;
  const undo = op && leastForecast(op).undo;
  expect({ undo, row: rows.get(undo ?? '') }).toEqual({
    undo,
    row: expect.stringContaining(told[path] ?? '?'),
  });
});
