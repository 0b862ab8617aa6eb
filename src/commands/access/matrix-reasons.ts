import { whyWords } from '../../access/explain/why-words.js';
import type { Levelled } from '../../access/levels.js';
import type { SpacePlace } from '../../access/read/structure.js';
import { type Weighed, weigh } from '../../access/weigh.js';
import { type Role, roles } from '../../api/shapes.js';

/** Why people have their roles, from what a matrix reads: organization roles and default levels, not teams. */

export interface ReasonsFrom {
  places: readonly SpacePlace[];
  /** Names of the levels; a role of this name, or `none`, `unknown`, or one that `--role` leaves out. */
  levels: readonly string[];
  collections: ReadonlyMap<string, Levelled>;
}

/** As many sentences as an index of 16 bits can name. */
const mostSentences = 65_536;

/** The sentences of a page; each pair has the index of one. What many pairs share is worked out once. */
export class Reasons {
  /** Each once; the first is empty. */
  readonly sentences: string[] = [''];
  readonly #from: ReasonsFrom;
  readonly #index = new Map<string, number>([['', 0]]);
  /** By space, organization role and level: the index of the sentence, from 1; 0 where it is not known yet. */
  readonly #known: Uint32Array;

  constructor(from: ReasonsFrom) {
    this.#from = from;
    this.#known = new Uint32Array(from.places.length * (roles.length + 1) * from.levels.length);
  }

  /** @param organizationRole null for a guest @param level the index of a level @returns the index of a sentence */
  of(column: number, organizationRole: Role | null, level: number): number {
    const { levels } = this.#from;
    const rank = organizationRole === null ? 0 : roles.indexOf(organizationRole) + 1;
    const at = (column * (roles.length + 1) + rank) * levels.length + level;
    const known = this.#known[at] ?? 0;
    if (known > 0) return known - 1;
    const index = this.#indexOf(this.#sentence(column, organizationRole, level));
    this.#known[at] = index + 1;
    return index;
  }

  #sentence(column: number, organizationRole: Role | null, level: number): string {
    const { places, levels, collections } = this.#from;
    const [place, name] = [places[column], levels[level]];
    if (place === undefined || name === undefined) return '';
    if (name === 'unknown') return 'The spaces of this person could not be read.';
    const role = name === 'none' ? null : roles.find((one) => one === name);
    if (role === undefined) return 'Left out by --role.';
    const at = { ...place, object: 'space' as const };
    return wordsOf(weigh({ organizationRole, place: at, collections, role }));
  }

  /** In an organization of tens of thousands of spaces the last ones get no sentence. */
  #indexOf(sentence: string): number {
    const known = this.#index.get(sentence);
    if (known !== undefined) return known;
    if (this.sentences.length === mostSentences) return 0;
    this.#index.set(sentence, this.sentences.length);
    return this.sentences.push(sentence) - 1;
  }
}

/** As `docs access explain` says it, but for what a matrix does not read. */
function wordsOf(weighed: Weighed): string {
  const { reason, byLevels, level, place } = weighed;
  if (reason === 'granted')
    return `Granted to them or to a team of theirs. Organization role and default levels alone give ${byLevels ?? 'nothing'}.`;
  if (reason === 'unknown' && !level.known && level.missing !== place.id)
    return `What gives the role is not known: the level of collection ${level.missing} was not read.`;
  return whyWords(weighed);
}
