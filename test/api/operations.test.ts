import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { pathParameters, successStatuses } from '../../src/api/operation-facts.js';
import { operations } from '../../src/api/resources/index.js';
import { field, fits, newAjv } from './fields.js';
import { requestOf, specified, specifiedOperations } from './specification.js';

const declared = new Map(operations.map((op) => [requestOf(op), op]));

function declaration(name: string): AnyOperation {
  const op = declared.get(name);
  if (op === undefined) throw new Error(`not declared: ${name}`);
  return op;
}

const sorted = (texts: Iterable<string>) => [...texts].sort();

describe('the declared operations', () => {
  it('have all of the specification', () => {
    expect(sorted(specifiedOperations.map(requestOf))).toEqual(sorted(specified.map((row) => row.request)));
  });

  it('are each declared once', () => {
    expect(declared.size).toBe(operations.length);
  });

  it('have unique ids of the form resource.verb', () => {
    const ids = operations.map((op) => op.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  });

  it.each(specified)('$request answers $success, $returns', ({ request: name, success, returns }) => {
    const op = declaration(name);
    const statuses = typeof op.success === 'number' ? [op.success] : op.success;
    expect(statuses[0]).toBe(success);
    expect(successStatuses(op)).toContain(success);
    expect(op.returns.kind).toBe(returns);
    expect(returns === 'none').toBe(success === 204 || success === 205);
  });

  it('take several success statuses only for the upsert of an OpenAPI spec', () => {
    const several = specifiedOperations.filter((op) => typeof op.success !== 'number');
    expect(several.map((op) => [op.id, op.success])).toEqual([['openapi.set', [200, 201]]]);
  });

  it('accept 204 and 205 alike where nothing comes back', () => {
    expect(successStatuses(declaration('DELETE /v1/spaces/{spaceId}'))).toEqual([204, 205]);
    expect(successStatuses(declaration('PATCH /v1/spaces/{spaceId}/custom-fields'))).toEqual([204, 205]);
  });
});

describe('paths', () => {
  it.each(operations.map((op) => [op.id, op.path]))('%s: %s is well formed', (_, path) => {
    expect(path).toMatch(/^\/v1(\/([a-z-]+|\{[a-zA-Z]+\}))+$/);
    const names = pathParameters(path);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(path.split('{').length - 1);
  });
});

describe('query and body fields', () => {
  const fields = operations.flatMap((op) => [
    ...Object.entries(op.query.properties).map(
      ([name, schema]) => [`${op.id} query ${name}`, schema] as const,
    ),
    ...Object.entries(bodyFields(op)).map(([name, schema]) => [`${op.id} body ${name}`, schema] as const),
  ]);

  it.each(fields)('%s has a description for help', (_, schema) => {
    expect(schema.description).toMatch(/^[^ ].*[^. ]$/s);
  });

  it('leave page and limit of lists to the client', () => {
    const lists = operations.filter((op) => op.returns.kind === 'page');
    for (const op of lists) expect(Object.keys(op.query.properties)).not.toContain('page');
    for (const op of operations) expect(Object.keys(op.query.properties)).not.toContain('limit');
  });

  it('refuse unknown keys in every query and body', () => {
    for (const op of operations) {
      expect(op.query.additionalProperties).toBe(false);
      if (op.body !== undefined) expect(op.body.additionalProperties).toBe(false);
    }
  });

  it('exist only where the specification has them', () => {
    const withBody = specifiedOperations.filter((op) => op.body !== undefined);
    expect(withBody.filter((op) => op.method === 'GET' || op.method === 'DELETE')).toEqual([]);
    const bare = specifiedOperations.filter(
      (op) => !['GET', 'DELETE'].includes(op.method) && op.body === undefined,
    );
    expect(sorted(bare.map((op) => op.id))).toEqual([
      'change-requests.merge',
      'change-requests.pull',
      'members.link-sso',
      'orgs.ping',
      'spaces.duplicate',
      'spaces.restore',
    ]);
    const withQuery = specifiedOperations.filter(
      (op) => op.method !== 'GET' && Object.keys(op.query.properties).length > 0,
    );
    expect(withQuery.map((op) => op.id)).toEqual(['change-request-comment-replies.create']);
    const withStatus = operations.filter(
      (op) => op.id.endsWith('.page-links') && 'status' in op.query.properties,
    );
    expect(withStatus.map((op) => op.id)).toEqual(['content.page-links']);
  });
});

function bodyFields(op: AnyOperation): Record<string, TSchema> {
  return op.body === undefined ? {} : (op.body.properties as Record<string, TSchema>);
}

/** `spaces move duplicate` are the ids `spaces.move` and `spaces.duplicate`. */
const idsOf = (...lines: string[]) =>
  lines.flatMap((line) => {
    const [resource, ...verbs] = line.split(' ');
    return verbs.map((verb) => `${resource}.${verb}`);
  });

describe('roles', () => {
  const ids = (needs: string) =>
    sorted(specifiedOperations.filter((op) => op.needs === needs).map((op) => op.id));

  it('let readers read everything but SAML providers and invites', () => {
    const reads = specifiedOperations.filter((op) => op.method === 'GET' && op.needs !== 'read');
    expect(sorted(reads.map((op) => op.id))).toEqual(['invites.get', 'saml.get', 'saml.list']);
    expect(ids('read').filter((id) => !operations.some((op) => op.id === id && op.method === 'GET'))).toEqual(
      ['orgs.ping'],
    );
  });

  it('let commenters comment, editors propose, reviewers merge', () => {
    expect(ids('comment')).toEqual(
      idsOf(
        'change-request-comment-replies create',
        'change-request-comments create delete update',
        'comment-replies create update',
        'comments create delete update',
      ),
    );
    expect(ids('edit')).toEqual(
      idsOf(
        'change-request-content import',
        'change-requests create pull update',
        'content import',
        'space-fields set',
      ),
    );
    expect(ids('review')).toEqual(['change-requests.merge']);
  });

  it('let creators create and arrange collections, spaces, sites and specs', () => {
    expect(ids('create')).toEqual(
      idsOf(
        'collections create move',
        'openapi create set',
        'section-groups add create delete move remove update',
        'sections create delete move update',
        'site-spaces create delete move update',
        'sites create',
        'spaces duplicate move',
      ),
    );
  });

  it('leave settings, members, access, transfers and deletions to admins', () => {
    for (const op of specifiedOperations) {
      if (
        /^(orgs|invites|members|teams|team-members|saml|custom-fields)\./.test(op.id) &&
        op.method !== 'GET'
      ) {
        expect([op.id, op.needs]).toEqual([op.id, op.id === 'orgs.ping' ? 'read' : 'admin']);
      }
    }
    expect(ids('admin')).toEqual(
      expect.arrayContaining(['collections.transfer', 'spaces.transfer', 'spaces.delete', 'sites.delete']),
    );
  });
});

/** Values, variants and answers that the specification and platform-facts list. */

describe('enumerations', () => {
  it.each([
    ['members.update.role', ['admin', 'create', 'review', 'edit', 'comment', 'read']],
    ['team-members.set.role', ['owner', 'member']],
    ['spaces.update.editMode', ['live', 'locked']],
    ['spaces.links.status', ['ok', 'broken', 'in-app']],
    ['content.page-links.status', ['ok', 'broken', 'in-app']],
    ['sites.create.visibility', ['public', 'unlisted', 'share-link', 'visitor-auth']],
    ['collections.update.defaultLevel', ['admin', 'create', 'review', 'edit', 'comment', 'read', 'inherit']],
  ])('%s is closed', (name, values) => {
    for (const value of values) expect(fits(field(name), value)).toBe(true);
    expect(fits(field(name), 'another')).toBe(false);
  });

  it.each([
    ['members.list.sort', ['joinedAt', 'lastSeenAt']],
    ['members.list.order', ['asc', 'desc']],
    ['change-requests.list.status', ['draft', 'open', 'archived', 'merged']],
    ['change-requests.update.status', ['draft', 'open', 'archived']],
    ['comments.list.status', ['open', 'resolved', 'all']],
    ['content.page.format', ['document', 'markdown']],
    [
      'content.import.source',
      ['website', 'docx', 'markdown', 'html', 'zip', 'confluence', 'github-wiki', 'notion', 'google-docs'],
    ],
    ['custom-fields.create.type', ['text', 'number', 'boolean', 'select', 'multiselect', 'url', 'date']],
    ['sites.create.type', ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium']],
  ])('%s is open: its known values serve help and completion', (name, values) => {
    expect(field(name)['x-known']).toEqual(values);
    expect(fits(field(name), 'another')).toBe(true);
  });
});

describe('variants', () => {
  it('a new site takes ids of spaces or a kind of new space', () => {
    const spaces = field('sites.create.spaces');
    expect(fits(spaces, ['space1', 'space2'])).toBe(true);
    expect(fits(spaces, 'empty')).toBe(true);
    expect(fits(spaces, 7)).toBe(false);
  });

  it.each([
    ['spaces.move.position', { type: 'space', space: 's1' }, { type: 'space', collection: 'c1' }],
    [
      'spaces.move.position',
      { type: 'collection', collection: 'c1' },
      { type: 'site-space', siteSpace: 's1' },
    ],
    ['collections.move.position', { type: 'space', space: 's1' }, { type: 'collection', space: 's1' }],
    [
      'sections.move.position',
      { type: 'site-section', siteSection: 's1' },
      { type: 'site-section', id: 's1' },
    ],
    [
      'section-groups.move.position',
      { type: 'site-section', id: 's1' },
      { type: 'site-section', siteSection: 's1' },
    ],
    ['section-groups.move.position', { type: 'site-section-group', id: 'g1' }, { type: 'group', id: 'g1' }],
    ['site-spaces.move.position', { type: 'site-space', siteSpace: 's1' }, { type: 'site-space', id: 's1' }],
  ])('%s takes neighbours like %j, not %j', (name, good, bad) => {
    const position = field(name);
    expect(fits(position, { before: good })).toBe(true);
    expect(fits(position, { after: good })).toBe(true);
    expect(fits(position, { before: good, after: good })).toBe(true);
    expect(fits(position, { before: bad })).toBe(false);
  });
});

describe('answers', () => {
  const _page = (id: string, pages: unknown[] = []) => ({ id, title: id, type: 'document', pages });

  it('have shapes that compile together', () => {
    const all = newAjv();
    for (const { returns } of operations) {
      if (returns.kind === 'one') expect(all.compile(returns.schema)).toBeTypeOf('function');
      if (returns.kind === 'page') expect(all.compile(returns.item)).toBeTypeOf('function');
    }
  });
});
