import type { Reading } from '../../snapshot/unread.js';
import {
  type Affected,
  type Impact,
  type ImpactAction,
  type ImpactAspect,
  type ImpactQuestion,
  impactAspects,
} from './change.js';
import { Findings } from './findings.js';

/** What an action would break, from reads alone: the entry to all kinds of things. */

export interface ImpactOptions {
  /** What to look for; all where it is not given. */
  aspects?: readonly ImpactAspect[];
  /** Called after the links of each space were read, with the number read and of all. */
  onSpace?: (read: number, of: number) => void;
}

/** Looks at things of one kind, and tells what it finds. */
type Look = (found: Findings, question: ImpactQuestion) => Promise<void>;
type LookAtThings = (found: Findings, things: readonly Affected[]) => Promise<void>;
type Looks = Partial<Record<Affected['object'], () => Promise<Look>>>;

const deletes = (load: () => Promise<LookAtThings>) => async (): Promise<Look> => {
  const look = await load();
  return (found, { things }) => look(found, things);
};

const siteParts = () => import('./delete-site-parts.js');
const people = () => import('./delete-people.js');
const settings = () => import('./delete-settings.js');
const relocation = () => import('./relocation.js');
const moves = async () => (await relocation()).moveContents;
const orders = deletes(async () => (await siteParts()).orderSiteParts);
const transfers = async () => (await import('./transfer/transfer.js')).lookAtTransfer;
const renames = async () => (await import('./rename.js')).rename;

/** By action and kind; which there are, the declared operations say (test/commands/impact-kinds.test.ts). */
const looks: Readonly<Partial<Record<ImpactAction, Looks>>> = {
  delete: {
    space: deletes(async () => (await import('./delete-spaces.js')).deleteSpaces),
    collection: deletes(async () => (await relocation()).deleteCollections),
    site: deletes(async () => (await siteParts()).deleteSites),
    'site-section': deletes(async () => (await siteParts()).deleteSections),
    'site-section-group': deletes(async () => (await siteParts()).deleteSectionGroups),
    'site-space': deletes(async () => (await siteParts()).deleteSiteSpaces),
    team: deletes(async () => (await people()).deleteTeams),
    member: deletes(async () => (await people()).deleteMembers),
    'custom-field': deletes(async () => (await settings()).deleteFields),
    'openapi-spec': deletes(async () => (await settings()).deleteSpecs),
    'saml-provider': deletes(async () => (await settings()).deleteProviders),
    'translation-settings': deletes(async () => (await settings()).deleteTranslations),
    invite: deletes(async () => (await settings()).deleteInvites),
    comment: deletes(async () => (await settings()).deleteComments),
  },
  move: {
    space: moves,
    collection: moves,
    'site-section': orders,
    'site-section-group': orders,
    'site-space': orders,
  },
  transfer: { space: transfers, collection: transfers },
  rename: {
    organization: renames,
    space: renames,
    collection: renames,
    site: renames,
    'site-section': renames,
    'site-section-group': renames,
    'site-space': renames,
    team: renames,
    'custom-field': renames,
    'saml-provider': renames,
    'translation-settings': renames,
  },
};

/** Whether the impact of an action on a kind can be told. */
export function canLook(action: ImpactAction, object: Affected['object']): boolean {
  return looks[action]?.[object] !== undefined;
}

/**
 * What a change would break: links, addresses, what rests on it, and who loses access. Sends reads only.
 * @param question its things are of one kind; those of a transfer may be spaces and collections
 * @returns with what could not be read in `unknown`
 * @throws DocsError if one of the things cannot be read; where the token is refused or the run was interrupted
 */
export async function readImpact(
  reading: Reading,
  question: ImpactQuestion,
  { aspects = impactAspects, onSpace }: ImpactOptions = {},
): Promise<Impact> {
  const found = new Findings(reading, new Set(aspects), onSpace);
  const { action, things } = question;
  const objects = new Set(things.map(({ object }) => object));
  for (const object of objects) {
    const load = looks[action]?.[object];
    if (load === undefined) throw new Error(`${action} of ${object} has no impact to tell.`);
    const look = await load();
    // Spaces and collections that go to another organization together keep what is between them.
    if (action === 'transfer') {
      await look(found, question);
      break;
    }
    await look(found, { ...question, things: things.filter((thing) => thing.object === object) });
  }
  return found.impact(question);
}
