import { expect, it } from 'vitest';
import type { Address, DesiredItem, LiveItem } from '../../../src/organization/model.js';
import { files, lockOf, plan, platform, there, wanted } from './build.js';

/** A plan whose new adaptive schema breaks conditions says which, as a risk of the change. */

const schemaOf = (...claims: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }])),
  additionalProperties: false,
});

const at = { file: 'sites/docs.yaml', line: 1, column: 1, path: '' };
const site = there('sites', 'w1', { title: 'Docs', schema: schemaOf('beta', 'gold') });
const api = there('sections', 'e1', { title: 'API', condition: 'visitor.claims.beta' }, { parent: site });
const guide = there('sections', 'e2', { title: 'Guide', condition: 'visitor.claims.gold' }, { parent: site });
const inside = there('site-spaces', 'p1', { condition: '!visitor.claims.beta' }, { parent: api });
const elsewhere = there('sites', 'w2', { title: 'Other', schema: schemaOf('beta') });
const other = there('sections', 'e3', { condition: 'visitor.claims.beta' }, { parent: elsewhere });
const live: LiveItem[] = [site, api, guide, inside, elsewhere, other];

const docs = (...claims: string[]) => wanted('sites/docs', { title: 'Docs', schema: schemaOf(...claims) });
const section = (key: string, fields: Readonly<Record<string, unknown>>) =>
  wanted(`sections/docs/${key}` as Address, fields, { parent: 'sites/docs' });
const lock = lockOf({
  'sites/docs': { id: 'w1', applied: {} },
  'sections/docs/api': { id: 'e1', applied: {} },
  'sections/docs/guide': { id: 'e2', applied: {} },
});

function risksOf(...items: DesiredItem[]): string {
  const scope = { kinds: ['sections', 'site-spaces'], within: 'sites/docs', manage: 'exact', at } as const;
  const scopes = items.some(({ kind }) => kind === 'sections') ? [scope] : [];
  const { drafts } = plan(files(items, { scopes }), platform(live, ['groups', 'spaces']), lock, {
    prune: true,
  });
  return drafts.map(({ kind, risk }) => (kind === 'sites' ? (risk ?? '') : '')).join('');
}

const guideStays = section('guide', { title: 'Guide' });

it('names each condition of the site that loses a claim, and none of another site', () => {
  const broken = risksOf(docs('gold'));
  expect(broken).toContain(
    'The condition of the section api, shown if visitor.claims.beta, would break: beta is removed.',
  );
  expect(broken).toContain('shown if !visitor.claims.beta, would break');
  expect(broken.split('would break')).toHaveLength(3);
});

it('says nothing where no condition breaks', () => {
  expect(risksOf(docs('gold', 'beta', 'partner'))).toBe('');
});

it('says nothing of what the same plan changes or removes', () => {
  const changed = section('api', { title: 'API', condition: 'visitor.claims.gold' });
  expect(risksOf(docs('gold'), guideStays, changed)).toBe('');
  const cleared = section('api', { title: 'API', condition: null });
  expect(risksOf(docs('gold'), guideStays, cleared)).toBe('');
  expect(risksOf(docs('gold'), guideStays)).toBe('');
});

it('names a condition that the plan sets to a claim that the new schema lacks', () => {
  const changed = section('api', { title: 'API', condition: 'visitor.claims.beta && visitor.claims.gold' });
  expect(risksOf(docs('gold'), guideStays, changed)).toContain(
    'The condition of the section api, shown if visitor.claims.beta && visitor.claims.gold, would break',
  );
});

it('says what cannot be told', () => {
  const odd = section('api', { title: 'API', condition: 'visitor.claims["be" + "ta"]' });
  expect(risksOf(docs('gold'), guideStays, odd)).toContain('would break is unknown');
});
