import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { field, fits, newAjv } from './fields.js';

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
