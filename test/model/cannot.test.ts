import { expect, it } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { shellWords } from '../../src/base/shell-word.js';
import { walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import { limitationOf, limitations } from '../../src/model/cannot.js';
import { specified } from '../api/specification.js';

/** What docs says the API cannot do, the API cannot do; and each way out that it names is there. */

const requests = specified.map(({ request }) => request);

/** By what the API cannot do, the requests that would do it: none may be among the operations. */
const wouldDo: Readonly<Record<string, readonly RegExp[]>> = {
  'add or invite a member': [/^(POST|PUT) \/v1\/orgs\/\{organizationId\}\/(members|invites)(\/\{\w+\})?$/],
  'create or list invite links': [/^(POST|PUT|GET) .*\/link-invites$/],
  'disable a member, or remove one from SSO': [
    /members\/\{userId\}\/(disable|enable|suspend)|^DELETE .*\/sso$/,
  ],
  'create an empty space': [/^(POST|PUT) .*\/spaces$/],
  'create, edit, move or delete a page': [/^(POST|PUT|PATCH|DELETE) .*\/pages?(\/\{pageId\}.*)?$/],
  'upload a file': [/^(POST|PUT|PATCH|DELETE) .*\/files(\/\{fileId\})?$/],
  'give one person or team access to a space or collection': [
    /^(POST|PUT|PATCH|DELETE) .*\/(spaces|collections)\/\{\w+\}\/(permissions|members|teams|users)/,
  ],
  'list the grants of a space': [/^GET .*\/(spaces|collections)\/\{\w+\}\/(permissions|members|teams|users)/],
  'hide a space, or change its visibility': [/spaces\/\{spaceId\}\/(visibility|publish|share)/],
  'publish or unpublish a site': [/^(POST|PUT|PATCH|DELETE) .*\/(un)?publish(ed)?$/],
  'check whether a site is up': [/uptime|health/],
  'list or set redirects': [/redirect/],
  'clear a cache': [/cache|purge/],
  'delete a change request, or reopen a merged one': [
    /^DELETE .*\/change-requests\/\{changeRequestId\}$/,
    /reopen|revert/,
  ],
  'approve a change request, or ask for a review': [
    /change-requests\/\{changeRequestId\}\/(reviews|requested|approv)/,
  ],
  'delete a reply to a comment': [/^DELETE .*\/replies\/\{\w+\}$/],
  'restore anything but a space': [/(?<!spaces\/\{spaceId\})\/restore$/],
  'change the type of a site or of a custom field': [/\/type$/],
  'set a hostname for a site': [/hostname|domain\//],
  'change the theme, the logo or the colors of a site': [/customization|theme/],
  'set up Git sync': [/\/git/],
  'create or delete an organization, or change its plan': [
    /^(POST|PUT) \/v1\/orgs$/,
    /^DELETE \/v1\/orgs\/\{organizationId\}$/,
    /billing|subscription/,
  ],
  'create API tokens': [/token/],
  'read the audit log or analytics of the platform': [/insight|analytic|stats|traffic|audit/],
  'set up webhooks': [/hook|integration/],
};

/** Fields that an update would need for it, and does not take. */
const fieldsLacking: Readonly<Record<string, readonly [operation: string, field: string][]>> = {
  'disable a member, or remove one from SSO': [['members.update', 'disabled']],
  'hide a space, or change its visibility': [['spaces.update', 'visibility']],
  'publish or unpublish a site': [['sites.update', 'published']],
  'change the type of a site or of a custom field': [
    ['sites.update', 'type'],
    ['custom-fields.update', 'type'],
  ],
  'set a hostname for a site': [['sites.update', 'hostname']],
  'change the theme, the logo or the colors of a site': [['sites.update', 'logo']],
};

it.each(limitations.map((one) => [one.cannot, one] as const))('the API cannot %s', async (cannot, row) => {
  const absent = wouldDo[cannot] ?? [];
  expect(absent.length).toBeGreaterThan(0);
  expect(requests.filter((request) => absent.some((one) => one.test(request)))).toEqual([]);
  for (const [id, field] of fieldsLacking[cannot] ?? []) {
    const fields = Object.keys(operations.find((one) => one.id === id)?.body?.properties ?? {});
    expect(fields).not.toEqual([]);
    expect(fields).not.toContain(field);
  }
  const named = [...row.instead.matchAll(/`(docs [^`]+)`/g)].map(([, command = '']) => command);
  for (const line of [row.hint, ...named]) {
    const { path, command, group, unknown, stray } = await walk(shellWords(line).slice(1), groups);
    expect({ line, unknown, stray }).toEqual({ line });
    expect({ path, isThere: command !== undefined || group !== undefined }).toMatchObject({ isThere: true });
  }
});

it('no words ask for two things at once, and those of commands ask for none', () => {
  for (const word of ['', 'the of and', 'docs', 'space', 'x'.repeat(100_000)])
    expect(limitationOf(word)).toBeUndefined();
  for (const asks of [
    'add a space to a site',
    'add a person to a team',
    'restore a space',
    'set the default site',
  ])
    expect({ asks, cannot: limitationOf(asks)?.cannot }).toEqual({ asks });
});
