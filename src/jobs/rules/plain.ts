import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { requestFor, unknownOperation } from '../change.js';
import type { Resource } from '../reads.js';
import type { NoWayBack, PastChange, WayBack } from '../rule.js';
import {
  bodyOf,
  deletes,
  type FindOperations,
  never,
  picked,
  type RuleMaker,
  type RuleTable,
  readOf,
  sets,
  stateUnknown,
  sureness,
} from './makers.js';
import { defaultTeam, emoji } from './shown.js';

/**
 * Rules that name no operation but their own and those that they find by id: a change that has one of these can run from
 * a record (cli/run/change-record.ts), and then loads no declaration.
 */

/** How long a deleted space can be restored (spec B, "Limits"), in milliseconds. */
export const restoreWindowMs = 7 * 86_400_000;

export const spaceFields = ['title', 'parent', 'revision', 'visibility', 'editMode', 'defaultLevel'];

const icon = ({ urls }: Resource) => (urls as { icon?: string } | undefined)?.icon;

/** An emoji replaces an icon and the other way round, so both are read and restored together. */
const faces = ['emoji', 'icon'] as const;

function changesFace(input: LooseInput): boolean {
  return faces.some((face) => face in bodyOf(input));
}

const spaceChange: RuleMaker = (op, find) => {
  const settings = sets({ from: { icon, emoji } })(op, find);
  return {
    ...settings,
    forecast: (input) =>
      sureness(changesFace(input) ? 'an icon is restored from the URL that the platform gave it' : undefined),
    async read(reads, input) {
      return (await settings.read?.(reads, changesFace(input) ? withFaces(input) : input)) ?? null;
    },
    back(change) {
      const back = settings.back?.(changesFace(change.input) ? faceless(change) : change);
      return changesFace(change.input) ? faceBack(op, change, back) : (back ?? stateUnknown);
    },
  };
};

/** The only one of some operations. @throws DocsError where it is not known */
function only(find: FindOperations, id: string): AnyOperation {
  const [op] = find([id]);
  if (op === undefined) throw unknownOperation(id);
  return op;
}

const spaceDeletion: RuleMaker = (op, find) => {
  const restore = only(find, 'spaces.restore');
  return {
    before: 'always',
    withinMs: restoreWindowMs,
    restoredBy: 'docs spaces restore',
    forecast: () => ({ undo: 'exact' }),
    read: readOf(op, find, spaceFields),
    passing: ['revision'],
    wanted: () => null,
    back: ({ input: { path } }) => ({ undo: 'exact', request: requestFor(restore, path), expect: null }),
  };
};

const spaceRestoration: RuleMaker = (op, find) => {
  const remove = only(find, 'spaces.delete');
  return {
    forecast: () => ({ undo: 'exact' }),
    read: readOf(op, find, spaceFields),
    passing: ['revision'],
    wanted: () => ({}),
    oneWay: true,
    keepsAnswer: true,
    back: ({ input, answer }) => ({
      undo: 'exact',
      request: requestFor(remove, input.path),
      expect: answer === undefined ? undefined : picked(answer as Resource, spaceFields),
    }),
  };
};

export const plainRules: RuleTable = {
  'orgs.update': sets({ unread: { logo: 'the platform does not show the URL of the old logo' } }),
  'orgs.ping': never('it only records that you were active', { harmless: true }),
  'invites.update': sets(),
  'invites.delete': deletes(['role'], 'the platform cannot create an invite link'),
  'members.delete': deletes(['role'], 'the platform cannot add a member: invite the person again'),
  'teams.update': sets(),

  'saml.update': sets({ from: { defaultTeam } }),
  'translations.update': sets(),

  'spaces.update': spaceChange,
  'spaces.delete': spaceDeletion,
  'spaces.restore': spaceRestoration,
  'collections.update': sets(),

  'sites.delete': deletes(
    ['title', 'siteSpaces', 'visibility'],
    'its address, sections and settings cannot be restored; its spaces stay',
    // How many spaces it has.
    { passing: ['siteSpaces'] },
  ),
  'site-spaces.update': sets(),
  'section-groups.update': sets(),
};

function withFaces(input: LooseInput): LooseInput {
  return { ...input, body: { emoji: null, icon: null, ...bodyOf(input) } };
}

function faceless({ input, ...rest }: PastChange): PastChange {
  const { emoji: _, icon: __, ...others } = bodyOf(input);
  return { ...rest, input: { ...input, body: others } };
}

function faceBack(
  op: AnyOperation,
  { input, before }: PastChange,
  others: WayBack | NoWayBack | undefined,
): WayBack | NoWayBack {
  if (!before) return stateUnknown;
  const face = before.icon ? { icon: before.icon } : { emoji: before.emoji ?? null, icon: null };
  const rest = others?.undo === 'none' ? {} : bodyOf(others?.request.input ?? {});
  const { emoji: asked, icon: wanted } = bodyOf(input);
  const faces = defined({ emoji: asked === undefined ? undefined : asked || null, icon: wanted });
  const expect = { ...(others?.undo === 'none' ? {} : others?.expect), ...faces };
  const request = requestFor(op, input.path, { ...rest, ...face });
  const why = before.icon ? 'the icon is restored from the URL that the platform gave it' : undefined;
  return { ...sureness(why), request, expect };
}
