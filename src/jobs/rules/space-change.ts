import type { LooseInput } from '../../api/client.js';
import { getSpace, updateSpace } from '../../api/resources/spaces.js';
import type { Change, NoWayBack, Resource, Rule, WayBack } from '../rule.js';
import { bodyOf, requestFor, sets } from './builders.js';

const icon = ({ urls }: Resource) => (urls as { icon?: string } | undefined)?.icon;
/** The platform writes no emoji as an empty text. */
const emoji = (space: Resource) => space.emoji || null;

const settings = sets(updateSpace, { get: getSpace, from: { icon, emoji } });

/** An emoji and an icon take each other's place, so both are read and put back together. */
const faces = ['emoji', 'icon'] as const;

function changesFace(input: LooseInput): boolean {
  return faces.some((face) => face in bodyOf(input));
}

/** A change of a space's settings. */
export const spaceChange: Rule = {
  ...settings,
  forecast: (input) =>
    changesFace(input)
      ? { undo: 'best-effort', why: 'an icon comes back from the URL that the platform gave it' }
      : { undo: 'exact' },
  async read(reads, input) {
    return (await settings.read?.(reads, changesFace(input) ? withFaces(input) : input)) ?? null;
  },
  back(change) {
    const back = settings.back?.(changesFace(change.input) ? faceless(change) : change);
    return changesFace(change.input) ? faceBack(change, back) : (back ?? noState);
  },
};

const noState: NoWayBack = { undo: 'none', why: 'its state before is not known' };

/** The input as if it named both faces, so that both are read. */
function withFaces(input: LooseInput): LooseInput {
  return { ...input, body: { emoji: null, icon: null, ...bodyOf(input) } };
}

function faceless({ input, ...rest }: Change): Change {
  const { emoji: _, icon: __, ...others } = bodyOf(input);
  return { ...rest, input: { ...input, body: others } };
}

function faceBack({ input, before }: Change, others: WayBack | NoWayBack | undefined): WayBack | NoWayBack {
  if (!before) return noState;
  const face = before.icon ? { icon: before.icon } : { emoji: before.emoji ?? null, icon: null };
  const rest = others?.undo === 'none' ? {} : bodyOf(others?.request.input ?? {});
  const { emoji: asked, icon: wanted } = bodyOf(input);
  const expect = {
    ...(others?.undo === 'none' ? {} : others?.expect),
    ...(asked !== undefined && { emoji: asked || null }),
    ...(wanted !== undefined && { icon: wanted }),
  };
  const request = requestFor(updateSpace, input.path ?? {}, { ...rest, ...face });
  return before.icon
    ? { undo: 'best-effort', why: 'its icon comes from the URL that the platform gave it', request, expect }
    : { undo: 'exact', request, expect };
}
