import { isMap, type YAMLMap } from 'yaml';
import { roles } from '../../../../src/api/shapes.js';
import type { Act, Editing } from '../edit.js';
import { text } from '../files.js';
import { siteKey, siteOf } from './sites.js';

/** Edits of sites as a whole, and of org.yaml, openapi.yaml, translations.yaml and saml.yaml. */

const urls = ['https://api.acme.example/v2.json', 'https://acme.example/a?b=c#d'];
const specs = ({ files }: Editing) => files.items('openapi.yaml', 'specs');
const translations = ({ files }: Editing) => files.items('translations.yaml', 'translations');
const providers = ({ files }: Editing) => files.items('saml.yaml', 'providers');

const organization = ({ files }: Editing): YAMLMap => {
  const map = files.top('org.yaml').get('organization');
  if (isMap(map)) return map;
  throw new Error('org.yaml has no organization');
};

/** Removes an item of a list that becomes exact. */
function remove(editing: Editing, file: string, key: string, item: YAMLMap): void {
  const list = editing.files.list(file, key);
  list.items.splice(list.items.indexOf(item), 1);
  editing.exact(file);
}

export const siteEdits = {
  renameSite(editing) {
    const file = editing.pick(editing.files.sites);
    if (file !== undefined) siteOf(editing, file).set('title', editing.title(2, 128));
  },
  changeSite(editing) {
    const file = editing.pick(editing.files.sites);
    if (file === undefined) return;
    const site = siteOf(editing, file);
    const visibility = editing.pick(['public', 'unlisted', 'share-link', 'visitor-auth']);
    if (editing.number() % 2 === 0) site.set('visibility', visibility);
    else site.set('adaptive_content', editing.number() % 2 === 0);
  },
  changeBasename(editing) {
    const file = editing.pick(editing.files.sites);
    if (file !== undefined) siteOf(editing, file).set('basename', editing.newKey());
  },
  swapBasenames(editing) {
    const named = editing.files.sites
      .map((file) => siteOf(editing, file))
      .filter((site) => site.has('basename'));
    const [one, two] = [editing.pick(named), editing.pick(named)];
    if (one === undefined || two === undefined) return;
    if (text(one, 'basename') === '' || text(two, 'basename') === '') return;
    const basename = text(one, 'basename');
    one.set('basename', text(two, 'basename'));
    two.set('basename', basename);
  },
  addSite(editing) {
    const library = editing.files.nodes('library.yaml', 'library').filter(({ marker }) => marker === 'space');
    const keys = library.map(({ map }) => text(map, 'space'));
    const space = editing.pick(keys.filter((key) => !editing.expected.findings.has(`spaces/${key}`)));
    if (space === undefined) return;
    const key = editing.newKey();
    editing.claim(`sites/${key}`);
    const site = { type: 'premium', title: editing.title(2, 128), visibility: 'unlisted', basename: key };
    const places =
      editing.number() % 2 === 0
        ? [{ space, path: 'root' }]
        : [{ section: 'only', title: editing.title(2, 64), path: 'only', spaces: [{ space, path: 'in' }] }];
    editing.files.create(`sites/${key}.yaml`, { site, structure: places });
  },
  removeSite(editing) {
    const first = text(organization(editing), 'default_site');
    const spare = editing.files.sites.filter((file) => siteKey(file) !== first);
    const file = editing.pick(spare);
    if (file === undefined || !editing.claim(`sites/${siteKey(file)}`)) return;
    editing.files.remove(file);
    const sites = editing.files.document('org.yaml').createNode({ manage: 'exact' });
    editing.files.top('org.yaml').set('sites', sites);
    editing.expected.removes = true;
  },
  changeSiteType(editing) {
    const file = editing.pick(editing.files.sites);
    if (file === undefined || !editing.claim(`sites/${siteKey(file)}`)) return;
    const site = siteOf(editing, file);
    site.set('type', text(site, 'type') === 'premium' ? 'ultimate' : 'premium');
    editing.expected.findings.add(`sites/${siteKey(file)}`);
  },
} satisfies Record<string, Act>;

export const otherEdits = {
  changeOrganization(editing) {
    const map = organization(editing);
    const act = editing.number() % 4;
    if (act === 0) map.set('title', editing.title(2, 255));
    else if (act === 1) map.set('ai', map.get('ai') !== true);
    else if (act === 2) map.set('invite_links', map.get('invite_links') !== true);
    else map.set('default_role', editing.pick([...roles, 'guest']));
  },
  changeDomains(editing) {
    const domains = ['acme.example', 'b.acme.example', `${editing.newKey()}.example`];
    const list = editing.files.document('org.yaml').createNode(domains.slice(editing.number() % 3));
    organization(editing).set('email_domains', list);
  },
  changeHostname(editing) {
    organization(editing).set('hostname', editing.newKey());
  },
  changeDefaultSite(editing) {
    const file = editing.pick(editing.files.sites);
    if (file !== undefined) organization(editing).set('default_site', siteKey(file));
  },
  changeSpec(editing) {
    editing.pick(specs(editing).filter((spec) => spec.has('url')))?.set('url', editing.pick(urls));
  },
  addSpec(editing) {
    const slug = editing.newKey();
    editing.claim(`openapi/${slug}`);
    editing.files.add(editing.files.list('openapi.yaml', 'specs'), { slug, url: editing.pick(urls) });
  },
  removeSpec(editing) {
    const spec = editing.pick(specs(editing));
    if (spec === undefined || !editing.claim(`openapi/${text(spec, 'slug')}`)) return;
    remove(editing, 'openapi.yaml', 'specs', spec);
  },
  renameTranslation(editing) {
    editing.pick(translations(editing))?.set('title', editing.title(1, 100));
  },
  addTranslation(editing) {
    const key = editing.newKey();
    editing.claim(`translations/${key}`);
    const list = editing.files.list('translations.yaml', 'translations');
    editing.files.add(list, { key, title: editing.title(1, 100) });
  },
  renameTranslationKey(editing) {
    const item = editing.pick(translations(editing));
    if (item === undefined || !editing.claim(`translations/${text(item, 'key')}`)) return;
    const key = editing.newKey();
    editing.claim(`translations/${key}`);
    item.set('was', text(item, 'key'));
    item.set('key', key);
  },
  removeTranslation(editing) {
    const item = editing.pick(translations(editing));
    if (item === undefined || !editing.claim(`translations/${text(item, 'key')}`)) return;
    remove(editing, 'translations.yaml', 'translations', item);
  },
  changeProvider(editing) {
    const provider = editing.pick(providers(editing));
    const act = editing.number() % 4;
    if (act === 0) provider?.set('label', editing.title(1, 30));
    else if (act === 1) provider?.set('default_role', editing.pick([...roles, 'guest']));
    else if (act === 2) provider?.set('entity_id', `urn:acme: #${editing.number()}`);
    else provider?.set('sso_url', `https://id.acme.example/${editing.number()}`);
  },
  changeDefaultTeam(editing) {
    const team = editing.pick(editing.files.items('teams.yaml', 'teams'));
    const provider = editing.pick(providers(editing));
    if (team !== undefined) provider?.set('default_team', text(team, 'key'));
  },
  addProvider(editing) {
    const key = editing.newKey();
    editing.claim(`saml/${key}`);
    const provider = { key, label: editing.title(1, 30), entity_id: 'urn:new', default_role: 'guest' };
    editing.files.add(editing.files.list('saml.yaml', 'providers'), provider);
  },
  removeProvider(editing) {
    const provider = editing.pick(providers(editing));
    if (provider === undefined || !editing.claim(`saml/${text(provider, 'key')}`)) return;
    remove(editing, 'saml.yaml', 'providers', provider);
  },
} satisfies Record<string, Act>;
